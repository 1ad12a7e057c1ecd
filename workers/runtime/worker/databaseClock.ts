import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';
import type { Report } from '#src/base/contracts/reports.ts';

/** How far this machine's clock is from that of the database, by which all machines are compared. */
export interface DatabaseClock {
  /** Notes what the database's clock showed for a question that was asked at `askedMs` of this one and is answered now. */
  note(databaseMs: number, askedMs: number): void;
  /** The task with its start by this machine's clock. */
  task<Task extends Pick<ExecutorTask, 'startedAtMs'>>(task: Task): Task;
  /** Reports of programs on this machine, by the database's clock. */
  reports(reports: Report[]): Report[];
}

/** Less is within what an answer takes, and what clocks that are kept right differ by. */
const LEAST_MS = 2_000;

/** @param warn Told when this clock is found to be wrong, and when it is right again. */
export function createDatabaseClock(warn: (message: string) => void): DatabaseClock {
  let aheadMs = 0;
  return {
    note(databaseMs, askedMs) {
      const now = Date.now();
      const found = (askedMs + now) / 2 - databaseMs;
      const isRight = Math.abs(found) < LEAST_MS + (now - askedMs);
      const was = aheadMs;
      aheadMs = isRight ? 0 : Math.round(found);
      if ((was === 0) === isRight) return;
      const side = found > 0 ? 'ahead of' : 'behind';
      const wrong = `this machine's clock is ${Math.round(Math.abs(found) / 1000)} s ${side} the database's`;
      warn(isRight ? "this machine's clock is right again" : `${wrong}: times of what runs tell are corrected by that`);
    },
    task: (task) => ({ ...task, startedAtMs: task.startedAtMs + aheadMs }),
    reports: (reports) =>
      aheadMs === 0
        ? reports
        : reports.map((report) => ('timeMs' in report ? { ...report, timeMs: report.timeMs - aheadMs } : report)),
  };
}
