import { useDeferredValue, useMemo, useState, useEffect, useRef } from 'react';
import { type LogLine, MAXIMUM_LOG_LINES, withGap, type LogState, startLogFeed } from './logFeed.ts';
import type { RunDetail } from './useRun.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { isLive } from '#web/lib/runStates.ts';
import { useVirtualizer } from '@tanstack/react-virtual';
import { formatClock } from '#web/lib/formatTime.ts';
import { logText } from './logText.ts';

interface LogLinesProps {
  lines: readonly LogLine[];
  /** Keeps the newest line in sight. */
  follow: boolean;
  /** Scrolling up lets go of the end, scrolling back to it follows again. */
  onFollow(follow: boolean): void;
  showAttempt: boolean;
}

const LINE_HEIGHT = 19;
const OVERSCAN = 20;
/** This near to the end counts as at the end, in pixels. */
const NEAR_END = 24;

/** Log lines, drawn only where they are seen. */
function LogLines({ lines, follow, onFollow, showAttempt }: LogLinesProps) {
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (index) => `${lines[index]!.attempt} ${lines[index]!.line}`,
  });
  useEffect(() => {
    if (follow && lines.length > 0) virtualizer.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [follow, lines.length, virtualizer]);
  const onScroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const fromEnd = element.scrollHeight - element.scrollTop - element.clientHeight;
    if (fromEnd < NEAR_END && !follow) onFollow(true);
  };
  const letGo = () => follow && onFollow(false);
  return (
    <section
      className="panel log-lines"
      ref={scroller}
      aria-label="Log lines"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
      onWheel={(event) => event.deltaY < 0 && letGo()}
      onKeyDown={(event) => ['ArrowUp', 'PageUp', 'Home'].includes(event.key) && letGo()}
    >
      <div className="log-space" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const line = lines[item.index]!;
          return (
            <div
              key={item.key}
              data-index={item.index}
              ref={virtualizer.measureElement}
              className={`log-line log-${line.level}`}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <time className="log-time" dateTime={line.time}>
                {formatClock(new Date(line.time))}
              </time>
              {showAttempt && <span className="log-attempt">{`a${line.attempt}`}</span>}
              <span className="log-level">{line.level}</span>
              <span className="log-text">{line.text}</span>
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** The log of a run, current while `live`. */
function useLog(runId: string, live: boolean): LogState {
  const [state, setState] = useState<LogState>({ lines: [], phase: 'reading', error: null });
  useEffect(() => startLogFeed(runId, live, setState), [runId, live]);
  return state;
}

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
