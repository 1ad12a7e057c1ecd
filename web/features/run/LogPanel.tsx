import { useDeferredValue, useMemo, useState } from 'react';
import { type LogLine, MAXIMUM_LOG_LINES, withGap } from './logFeed.ts';
import type { RunDetail } from './useRun.ts';
import { useLog } from './useLog.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { isLive } from '#web/lib/runStates.ts';
import { LogLines } from './LogLines.tsx';
import { logText } from './logText.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The run's log, live: from a level on, or only lines with a text. */
export function LogPanel({ run }: { run: RunDetail }) {
  const { lines, phase, error } = useLog(run.id, isLive(run.state));
  const [level, setLevel] = useState<LogLine['level']>('debug');
  const [wanted, setWanted] = useState('');
  const [follow, setFollow] = useState(true);
  const words = useDeferredValue(wanted).toLowerCase();
  const shown = useMemo(() => {
    const least = LEVELS.indexOf(level);
    if (least === 0 && words === '') return lines;
    return lines.filter(
      (line) => LEVELS.indexOf(line.level) >= least && (words === '' || line.text.toLowerCase().includes(words)),
    );
  }, [lines, level, words]);
  const drawn = useMemo(() => (shown === lines ? withGap(lines) : shown), [shown, lines]);

  return (
    <div className="log-panel">
      <div className="row">
        <label className="check">
          From level
          <select
            className="input"
            value={level}
            onChange={(event) => setLevel(LEVELS.find((one) => one === event.target.value) ?? 'debug')}
          >
            {LEVELS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <input
          className="input"
          type="search"
          aria-label="Find in log"
          placeholder="Find in log"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <label className="check">
          <input type="checkbox" checked={follow} onChange={(event) => setFollow(event.target.checked)} />
          Follow
        </label>
        <span className="muted spread">
          {phase === 'reading' && 'Reading … '}
          {shown.length === lines.length
            ? `${formatCount(lines.length)} lines`
            : `${formatCount(shown.length)} of ${formatCount(lines.length)} lines`}
          {phase === 'full' && `: the first ${formatCount(MAXIMUM_LOG_LINES)} and the last, the export has all`}
        </span>
        <Button
          disabled={shown.length === 0}
          title="Saves the lines that are shown as a text file"
          onClick={() =>
            saveFile(new Blob([logText(shown)], { type: 'text/plain;charset=utf-8' }), `run-${run.number}.log`)
          }
        >
          Save
        </Button>
      </div>
      {error !== null && <p className="danger-text">{error instanceof Error ? error.message : String(error)}</p>}
      {lines.length === 0 && phase !== 'reading' ? (
        <EmptyState title="No log lines">
          <p>{isLive(run.state) ? 'They appear here as the run writes them.' : 'The run wrote none.'}</p>
        </EmptyState>
      ) : (
        <LogLines lines={drawn} follow={follow} onFollow={setFollow} showAttempt={run.attempt > 1} />
      )}
    </div>
  );
}
