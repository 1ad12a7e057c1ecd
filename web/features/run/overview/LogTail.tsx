import { Link } from '@tanstack/react-router';
import { shorten } from '#src/base/lib/shorten.ts';
import { useLogTail } from '#web/features/run/useLogTail.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';

/** Longer lines are whole in the tab Log alone: one of them would hide all others. */
const LONGEST_SHOWN_LINE = 500;

/** The last lines that the run wrote. */
export function LogTail({ run, lines }: { run: RunDetail; lines: number }) {
  const { data } = useLogTail(run.id, { lines, state: run.state });
  if (data === undefined || data.length === 0) return null;
  return (
    <div className="panel">
      <div className="panel-head">
        <h2 id="tail-title">Last log lines</h2>
        <Link className="spread" to="/runs/$runId" params={{ runId: run.id }} search={{ tab: 'log' }} replace>
          All of the log
        </Link>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="log-tail" tabIndex={0} aria-labelledby="tail-title">
        <pre>
          {data.map((line) => (
            <span key={`${line.attempt} ${line.line}`} className={`log-${line.level}`}>
              <span className="log-text">{shorten(line.text, LONGEST_SHOWN_LINE)}</span>
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
    </div>
  );
}
