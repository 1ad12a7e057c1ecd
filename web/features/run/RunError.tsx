import type { RunDetail } from '#web/api/useRun.ts';

/** Why a run failed: code, message, and the stack for who wants it. */
export function RunError({ error }: { error: NonNullable<RunDetail['error']> }) {
  return (
    <div className="notice notice-error">
      <strong>{error.code}</strong>
      <span className="run-error-message">{error.message}</span>
      {error.stack !== null && (
        <details className="run-error-stack">
          <summary>Stack</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{error.stack}</pre>
        </details>
      )}
    </div>
  );
}
