import { connection } from '../api/connection.ts';
import { useStore } from '../api/useStore.ts';

/** Says that the API is away, and that the page goes on by itself. */
export function ConnectionNotice() {
  const state = useStore(connection);
  return (
    <div aria-live="assertive">
      {state === 'away' && (
        <div className="notice">
          <strong>The API cannot be reached.</strong>
          <span>What you see may be out of date. Trying again …</span>
        </div>
      )}
    </div>
  );
}
