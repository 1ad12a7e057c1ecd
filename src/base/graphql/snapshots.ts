import DataLoader from 'dataloader';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { findRunsById, type RunRecord } from '#src/runs/store/runRecord.ts';
import { createLoaders, type Loaders } from '#src/graphql/loaders.ts';

/** What subscriptions have read at one moment, so that what many of them want is read once. */
export interface Snapshot {
  loaders: Loaders;
  runs: DataLoader<string, RunRecord | null>;
  /** The answer of `read`, which is asked once for a key. What it gives is shared: nobody may change it. */
  once<Answer>(key: string, read: () => Promise<Answer>): Promise<Answer>;
}

export interface Snapshots {
  /** The newest one: nothing that was told is missing in what it reads. */
  current(): Snapshot;
  /** To be called at every notification, before those are woken whom it concerns. */
  forget(): void;
}

/** The longest that one is kept: what changes without a notification is read anew by then. */
const KEPT_MS = 200;

export function createSnapshots(db: Database): Snapshots {
  let snapshot: Snapshot | null = null;
  let madeAt = 0;

  return {
    current() {
      if (snapshot === null || performance.now() - madeAt > KEPT_MS) {
        snapshot = createSnapshot(db);
        madeAt = performance.now();
      }
      return snapshot;
    },
    forget() {
      snapshot = null;
    },
  };
}

function createSnapshot(db: Database): Snapshot {
  const answers = new Map<string, Promise<unknown>>();
  return {
    loaders: createLoaders(db),
    runs: new DataLoader(async (ids) => {
      const found = new Map((await findRunsById(db, [...ids])).map((run) => [run.id, run]));
      return ids.map((id) => found.get(id) ?? null);
    }),
    once<Answer>(key: string, read: () => Promise<Answer>) {
      const answer = (answers.get(key) as Promise<Answer> | undefined) ?? read();
      answers.set(key, answer);
      return answer;
    },
  };
}
