import type { Database } from '#src/platform/postgres/database.ts';
import { type LoggedPoints, logPoints, type PointCall } from '#src/store/reports/logPoints.ts';

/** Groups that are written at once: one is made ready while the database works on another. */
const GROUPS_AT_ONCE = 2;
/** Calls that are large enough to be written alone. */
const LARGE_AT_ONCE = 4;
/** Of one group. */
const MOST_CALLS = 64;
const MOST_POINTS = 2_000;

interface WaitingCall extends PointCall {
  settle(logged: LoggedPoints | null): void;
}

interface Lane {
  waiting: WaitingCall[];
  atOnce: number;
  underWay: number;
}

interface Lanes {
  small: Lane;
  large: Lane;
  /** Runs with a call under way: their next one waits, for it would find the run locked. */
  busy: Set<string>;
}

const lanesOf = new WeakMap<Database, Lanes>();

/**
 * Writes the points of one call together with those of others that come meanwhile: a call that finds nothing under way is
 * written at once, later ones wait for it, and go together. Each is written whole or not at all, whatever becomes of the others.
 * @returns what was written; null where this way does not serve, or failed: nothing is written then, or the same call again
 * changes nothing.
 */
export async function logGrouped(database: Database, call: PointCall): Promise<LoggedPoints | null> {
  const lanes = lanesOf.get(database) ?? {
    small: { waiting: [], atOnce: GROUPS_AT_ONCE, underWay: 0 },
    large: { waiting: [], atOnce: LARGE_AT_ONCE, underWay: 0 },
    busy: new Set(),
  };
  lanesOf.set(database, lanes);
  return await new Promise((settle) => {
    const lane = call.points.steps.length < MOST_POINTS ? lanes.small : lanes.large;
    lane.waiting.push({ ...call, settle });
    writeNext(database, lanes);
  });
}

function writeNext(database: Database, lanes: Lanes): void {
  for (const lane of [lanes.small, lanes.large]) {
    while (lane.underWay < lane.atOnce) {
      const group = takeGroup(lane.waiting, lanes.busy);
      if (group.length === 0) break;
      lane.underWay++;
      void write(database, group).finally(() => {
        lane.underWay--;
        for (const { runId } of group) lanes.busy.delete(runId);
        writeNext(database, lanes);
      });
    }
  }
}

/** The calls that have waited longest, one of each run. */
function takeGroup(waiting: WaitingCall[], busy: Set<string>): WaitingCall[] {
  const group: WaitingCall[] = [];
  let points = 0;
  for (let index = 0; index < waiting.length && group.length < MOST_CALLS; ) {
    const call = waiting[index]!;
    const count = call.points.steps.length;
    if (busy.has(call.runId) || (group.length > 0 && points + count > MOST_POINTS)) {
      index++;
      continue;
    }
    waiting.splice(index, 1);
    busy.add(call.runId);
    group.push(call);
    points += count;
  }
  return group;
}

async function write(database: Database, group: readonly WaitingCall[]): Promise<void> {
  const logged = await logPoints(database, group).catch(() => group.map(() => null));
  for (const [index, call] of group.entries()) call.settle(logged[index] ?? null);
}
