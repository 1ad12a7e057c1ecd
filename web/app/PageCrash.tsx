import { ErrorNotice } from '../components/ErrorNotice.tsx';

/** Shown in place of a page whose code failed; the rest of the dashboard goes on. */
export function PageCrash({ error, reset }: { error: unknown; reset?: () => void }) {
  return (
    <div className="page">
      <h1>This page failed</h1>
      <ErrorNotice
        title="An error in the dashboard."
        error={error}
        onRetry={() => (reset === undefined ? location.reload() : reset())}
      />
    </div>
  );
}
