import { Link } from '@tanstack/react-router';

const MOST_LINKS = 8;

/** The runs behind a number, one click away; several side by side. */
export function RunLinks({ runs }: { runs: readonly { id: string; number: number }[] }) {
  if (runs.length === 0) return null;
  const shown = runs.slice(0, MOST_LINKS);
  return (
    <span className="study-runs">
      {shown.map(({ id, number }) => (
        <Link key={id} to="/runs/$runId" params={{ runId: String(number) }} aria-label={`Run ${number}`}>
          #{number}
        </Link>
      ))}
      {runs.length > 1 && (
        <Link to="/compare" search={{ runs: runs.map(({ number }) => number).join(',') }}>
          compare{runs.length > MOST_LINKS ? ` all ${runs.length}` : ''}
        </Link>
      )}
    </span>
  );
}
