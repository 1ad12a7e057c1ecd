import { useEffect, useRef, useState } from 'react';
import { execute, follow } from '#web/api/execute.ts';
import type { ReadOperation } from './readOperation.ts';

/** Results of a subscription that are kept. */
const MOST_RESULTS = 50;

export interface RunningOperation {
  /** What has come, the newest first. */
  results: readonly unknown[];
  running: boolean;
  start(read: ReadOperation): void;
  stop(): void;
}

/** Runs one operation at a time; a new one ends the one before. */
export function useOperation(): RunningOperation {
  const [results, setResults] = useState<readonly unknown[]>([]);
  const [running, setRunning] = useState(false);
  const end = useRef<() => void>(() => {});
  useEffect(() => () => end.current(), []);

  const stop = () => {
    end.current();
    setRunning(false);
  };
  const start = (read: ReadOperation) => {
    stop();
    if (!('operation' in read)) {
      setResults([{ problems: read.problems }]);
      return;
    }
    setResults([]);
    setRunning(true);
    if (read.live) {
      end.current = follow(read.operation, (result) =>
        setResults((before) => [result, ...before].slice(0, MOST_RESULTS)),
      );
      return;
    }
    const controller = new AbortController();
    end.current = () => controller.abort();
    execute(read.operation, controller.signal)
      .then((answer) => setResults([answer]))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setResults([{ problems: [String(error)] }]);
      })
      .finally(() => {
        if (!controller.signal.aborted) setRunning(false);
      });
  };
  return { results, running, start, stop };
}
