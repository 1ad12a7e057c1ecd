import type { AttemptState, DecisionState, RunState, SweepState } from '../generated/graphql.ts';
import { Icon, type IconName } from './Icon.tsx';
import './display.css';

type BadgeState = RunState | AttemptState | SweepState | DecisionState;

const LOOKS: Record<BadgeState, { icon: IconName; label: string }> = {
  WAITING: { icon: 'waiting', label: 'Waiting' },
  QUEUED: { icon: 'queued', label: 'Queued' },
  RUNNING: { icon: 'running', label: 'Running' },
  SUCCEEDED: { icon: 'succeeded', label: 'Succeeded' },
  FAILED: { icon: 'failed', label: 'Failed' },
  CANCELLED: { icon: 'cancelled', label: 'Cancelled' },
  CRASHED: { icon: 'crashed', label: 'Crashed' },
  PRUNED: { icon: 'pruned', label: 'Pruned' },
  PAUSED: { icon: 'paused', label: 'Paused' },
  FINISHED: { icon: 'succeeded', label: 'Finished' },
  DECIDED: { icon: 'succeeded', label: 'Decided' },
  FUTILE: { icon: 'pruned', label: 'Futile' },
  UNDECIDED: { icon: 'pruned', label: 'Undecided' },
  LOST: { icon: 'failed', label: 'Lost' },
};

interface StateBadgeProps {
  state: BadgeState;
  cancelling?: boolean;
  /** 0 to 1: how much is done, of what runs. */
  progress?: number | null;
}

/** The state of a run, an attempt, a trial, a sweep or a decision: color, shape and word. */
export function StateBadge({ state, cancelling = false, progress = null }: StateBadgeProps) {
  const look = LOOKS[state];
  const done = state === 'RUNNING' && !cancelling && progress !== null ? ` ${Math.round(progress * 100)} %` : '';
  return (
    <span className={`state state-${state.toLowerCase()}`}>
      <Icon name={look.icon} size={12} />
      <span className="state-word">
        {cancelling ? 'Cancelling' : look.label}
        {done}
      </span>
    </span>
  );
}
