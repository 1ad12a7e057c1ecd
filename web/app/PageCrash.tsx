import { useEffect } from 'react';
import { isHealthy, onReturn, reportAway } from '../api/connection.ts';
import { Button } from '../components/Button.tsx';
import { ErrorNotice } from '../components/ErrorNotice.tsx';
import { isLoadFailure } from '../lib/loadFailure.ts';

/** Shown in place of a page whose code failed; the rest of the dashboard goes on. */
export function PageCrash({ error, reset }: { error: unknown; reset?: () => void }) {
  if (isLoadFailure(error)) return <PageToCome />;
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

const RELOADED = 'warren.reloaded';
/** A page that was loaded anew without success is not loaded again for so long. */
const AGAIN_AFTER_MS = 60_000;

/** In place of a page whose code did not come: the server is away, or has a newer dashboard than this page is of. */
function PageToCome() {
  useEffect(() => {
    let shown = true;
    void isHealthy().then((healthy) => {
      if (!shown) return;
      if (!healthy) return reportAway();
      if (Date.now() - Number(sessionStorage.getItem(RELOADED) ?? 0) < AGAIN_AFTER_MS) return;
      sessionStorage.setItem(RELOADED, String(Date.now()));
      location.reload();
    });
    const stop = onReturn(() => location.reload());
    return () => {
      shown = false;
      stop();
    };
  }, []);
  return (
    <div className="page">
      <h1>This page is still to come</h1>
      <p>Its code has not been read. As soon as the server answers, it is loaded.</p>
      <div className="row">
        <Button onClick={() => location.reload()}>Load it now</Button>
      </div>
    </div>
  );
}
