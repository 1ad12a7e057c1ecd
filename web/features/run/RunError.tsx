import { Link } from '@tanstack/react-router';
import { failureAdvice, isTrace } from '#src/base/contracts/failureAdvice.ts';
import type { RunDetail } from './useRun.ts';

/** Why a run failed, and what to do about it; the stack, or what the program printed last, for who wants it. */
export function RunError({ run }: { run: RunDetail }) {
  const { error } = run;
  const advice = failureAdvice(run.state, error);
  if (error === null && advice === null) return null;
  return (
    <div className="notice notice-error">
      {error !== null && (
        <>
          <span className="run-error-message">{error.message}</span> <code className="muted">{error.code}</code>
        </>
      )}
      {advice !== null && (
        <p className="run-error-advice">
          {advice} {error?.code === 'DATA_ERROR' && <Link to="/datasets">Datasets</Link>}
          {error?.code === 'WORKER_LOST' && <Link to="/workers">Workers</Link>}
        </p>
      )}
      {error !== null && error.stack !== null && (
        <details className="run-error-stack">
          <summary>{isTrace(error.stack) || error.code !== 'RUN_FAILED' ? 'Stack' : 'Last output'}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{error.stack}</pre>
        </details>
      )}
    </div>
  );
}
