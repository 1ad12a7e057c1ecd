import { Icon, type IconName } from '#web/components/Icon.tsx';
import type { CellVerdict, ClaimVerdict, StudyState } from '#web/generated/graphql.ts';
import './reproductions.css';

type Mark = CellVerdict | ClaimVerdict | StudyState;
type Look = 'good' | 'bad' | 'partial' | 'open';

const LOOKS: Readonly<Record<Mark, { icon: IconName; label: string; look: Look }>> = {
  AGREES: { icon: 'succeeded', label: 'agrees', look: 'good' },
  DIFFERS: { icon: 'failed', label: 'differs', look: 'bad' },
  SHORTENED: { icon: 'pruned', label: 'shortened', look: 'partial' },
  NOT_RUN: { icon: 'queued', label: 'not run', look: 'open' },
  NOT_RUNNABLE: { icon: 'cancelled', label: 'cannot be run', look: 'open' },
  NOT_PRINTED: { icon: 'queued', label: 'not printed', look: 'open' },
  CONFIRMED: { icon: 'succeeded', label: 'confirmed', look: 'good' },
  REFUTED: { icon: 'failed', label: 'refuted', look: 'bad' },
  UNDECIDED: { icon: 'waiting', label: 'undecided', look: 'open' },
  RUNNING: { icon: 'running', label: 'running', look: 'partial' },
  PARTLY: { icon: 'pruned', label: 'partly run', look: 'partial' },
  COMPLETE: { icon: 'succeeded', label: 'complete', look: 'good' },
};

const SEVERAL: Partial<Record<Mark, string>> = { AGREES: 'agree', DIFFERS: 'differ' };

/** What is to be said of a cell, a claim or a study: color, shape and word. */
export function VerdictMark({ verdict, count }: { verdict: Mark; count?: number }) {
  const { icon, label, look } = LOOKS[verdict];
  const words = count !== undefined && count > 1 ? (SEVERAL[verdict] ?? label) : label;
  return (
    <span className={`verdict verdict-${look}`}>
      <Icon name={icon} size={11} />
      {count === undefined ? words : `${count} ${words}`}
    </span>
  );
}
