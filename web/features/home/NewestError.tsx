import { Link } from '@tanstack/react-router';
import type { HomeRun } from './useHome.ts';

/** Why the newest of several runs failed, leading to it. */
export function NewestError({ run: { id, number, error } }: { run: HomeRun }) {
  const message = error?.message ?? 'it gave no reason';
  return (
    <Link className="home-name danger-text" to="/runs/$runId" params={{ runId: id }} title={message}>
      #{number}: {message}
    </Link>
  );
}
