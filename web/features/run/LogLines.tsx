import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { LogLine } from './logFeed.ts';
import { formatClock } from '#web/lib/formatTime.ts';

export interface LogLinesProps {
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
export function LogLines({ lines, follow, onFollow, showAttempt }: LogLinesProps) {
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
