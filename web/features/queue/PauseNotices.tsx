import { Button } from '#web/components/Button.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { useQueueButtons } from './useQueueButtons.ts';

export interface PauseNoticesProps {
  /** A kind of null is all kinds. */
  pauses: readonly { kind: string | null; pausedAt: string }[];
  mayManage: boolean;
}

/** What is paused, and the way to go on. */
export function PauseNotices({ pauses, mayManage }: PauseNoticesProps) {
  const { pending, act } = useQueueButtons();
  return pauses.map(({ kind, pausedAt }) => {
    const what = kind === null ? 'The whole queue' : `The kind ${kind}`;
    return (
      <div className="notice row" role="status" key={kind ?? ''}>
        <span>
          {what} is paused, <TimeText time={pausedAt} />: no worker begins its runs.
        </span>
        <Button
          disabled={!mayManage || pending}
          onClick={() => act({ action: 'resume', kind }, `${what} goes on.`)}
          aria-label={kind === null ? 'Resume the queue' : `Resume ${kind}`}
        >
          Resume
        </Button>
      </div>
    );
  });
}
