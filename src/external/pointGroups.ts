import type { Database } from '#src/base/platform/postgres/database.ts';
import { type LoggedPoints, logPoints, type PointCall } from '#src/metrics/store/logPoints.ts';

/** Groups that are written at once. */
const GROUPS_AT_ONCE = 2;
/** Points that wait for a second group: fewer go with the next one, for a statement takes longer than they do. */
const WORTH_A_GROUP = 200;
/** Calls that are large enough to be written alone. */
const LARGE_AT_ONCE = 4;
/** How long calls are gathered at most while each turn of the event loop brings more. */
const GATHERING_MS = 5;
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
  /** Since when calls are gathered for the next groups; null while none are. */
  gatheringSinceMs: number | null;
  /** Whether the present turn of the event loop brought a call. */
  hasNews: boolean;
}

const lanesOf = new WeakMap<Database, Lanes>();

/**
 * Writes the points of one call together with those of others that come meanwhile: calls that are read one right after another go
 * together, at once where nothing is under way, else after it. Each is written whole or not at all, whatever becomes of the others.
 * @returns what was written; null where this way does not serve, or failed: nothing is written then, or the same call again
 * changes nothing.
 */
export async function logGrouped(database: Database, call: PointCall): Promise<LoggedPoints | null> {
  const lanes = lanesOf.get(database) ?? {
    small: { waiting: [], atOnce: GROUPS_AT_ONCE, underWay: 0 },
    large: { waiting: [], atOnce: LARGE_AT_ONCE, underWay: 0 },
    busy: new Set(),
    gatheringSinceMs: null,
    hasNews: false,
  };
  lanesOf.set(database, lanes);
  return await new Promise((settle) => {
    const isLarge = call.points.steps.length >= MOST_POINTS;
    (isLarge ? lanes.large : lanes.small).waiting.push({ ...call, settle });
    // a large call gains nothing by company, and waits for the reading of the next one
    if (isLarge) writeNext(database, lanes, lanes.large);
    else schedule(database, lanes);
  });
}

/** Groups are made when a turn of the event loop has brought no further call, or the first has waited for long enough. */
function schedule(database: Database, lanes: Lanes): void {
  lanes.hasNews = true;
  if (lanes.gatheringSinceMs !== null) return;
  lanes.gatheringSinceMs = performance.now();
  const look = (): void => {
    const goesOn = lanes.hasNews && performance.now() - (lanes.gatheringSinceMs ?? 0) < GATHERING_MS;
    lanes.hasNews = false;
    if (goesOn) {
      setImmediate(look);
      return;
    }
    lanes.gatheringSinceMs = null;
    writeNext(database, lanes, lanes.small);
  };
  setImmediate(look);
}

function writeNext(database: Database, lanes: Lanes, lane: Lane): void {
  while (lane.underWay < lane.atOnce && (lane.underWay === 0 || isWorthGroup(lane.waiting))) {
    const group = takeGroup(lane.waiting, lanes.busy);
    if (group.length === 0) break;
    lane.underWay++;
    void write(database, group).finally(() => {
      lane.underWay--;
      for (const { runId } of group) lanes.busy.delete(runId);
      // calls of either size may have waited for these runs
      writeNext(database, lanes, lanes.large);
      schedule(database, lanes);
    });
  }
}

function isWorthGroup(waiting: readonly WaitingCall[]): boolean {
  return waiting.reduce((sum, { points }) => sum + points.steps.length, 0) >= WORTH_A_GROUP;
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
