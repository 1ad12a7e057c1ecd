import type { ChangeEvent } from '#src/base/contracts/changeEvents.ts';

/** What a listener wants to hear of; a run or project of null means any. */
export type ChangeTopic =
  | { type: 'run'; runId: string }
  | { type: 'project'; projectId: string | null }
  | { type: 'metrics'; runId: string }
  | { type: 'logs'; runId: string }
  | { type: 'sweep'; sweepId: string }
  | { type: 'decision'; decisionId: string }
  | { type: 'views'; projectId: string }
  | { type: 'alerts' };

export interface ChangeListener {
  onChange(event: ChangeEvent): void;
  /** Notifications may have been missed: look at everything once. */
  onGap(): void;
}

/** Fans the notifications of the one database connection out to the subscriptions of this process. */
export interface ChangeHub {
  publish(event: ChangeEvent): void;
  /** Tells every listener that notifications may have been missed. */
  announceGap(): void;
  /** Returns the function that ends the listening; calling it twice does nothing. */
  listen(topics: readonly ChangeTopic[], listener: ChangeListener): () => void;
  /** Listeners at this moment: zero when every subscription has been released. */
  listenerCount(): number;
}

function keyOfTopic(topic: ChangeTopic): string {
  if (topic.type === 'sweep') return `sweep ${topic.sweepId}`;
  if (topic.type === 'decision') return `decision ${topic.decisionId}`;
  if (topic.type === 'views') return `views ${topic.projectId}`;
  if (topic.type === 'alerts') return 'alerts';
  return topic.type === 'project' ? `project ${topic.projectId ?? '*'}` : `${topic.type} ${topic.runId}`;
}

function keysOfEvent(event: ChangeEvent): string[] {
  switch (event.type) {
    case 'run':
      return [`run ${event.runId}`, `project ${event.projectId}`, 'project *'];
    case 'metrics':
    case 'logs':
      return [`${event.type} ${event.runId}`];
    case 'sweep':
      return [`sweep ${event.sweepId}`];
    case 'decision':
      return [`decision ${event.decisionId}`];
    case 'views':
      return [`views ${event.projectId}`];
    case 'alerts':
      return ['alerts'];
    case 'cancel':
    case 'workers':
      return [];
  }
}

export function createChangeHub(): ChangeHub {
  const listenersOf = new Map<string, Set<ChangeListener>>();
  const all = new Set<ChangeListener>();

  return {
    publish(event) {
      for (const key of keysOfEvent(event)) {
        for (const listener of listenersOf.get(key) ?? []) listener.onChange(event);
      }
    },
    announceGap() {
      for (const listener of all) listener.onGap();
    },
    listen(topics, listener) {
      const keys = new Set(topics.map(keyOfTopic));
      all.add(listener);
      for (const key of keys) {
        const listeners = listenersOf.get(key) ?? new Set();
        listenersOf.set(key, listeners.add(listener));
      }
      return () => {
        all.delete(listener);
        for (const key of keys) {
          const listeners = listenersOf.get(key);
          listeners?.delete(listener);
          if (listeners?.size === 0) listenersOf.delete(key);
        }
      };
    },
    listenerCount: () => all.size,
  };
}
