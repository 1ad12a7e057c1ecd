import * as z from 'zod';

/** What Chromium's trace says of a piece of work, in microseconds. */
const eventSchema = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number().optional(),
  /** Processor time of its thread. */
  tdur: z.number().optional(),
});
const traceSchema = z.object({ traceEvents: z.array(z.unknown()) });
type TraceEvent = z.infer<typeof eventSchema>;

export const CATEGORIES = [
  '-*',
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
];

/** Kinds of work of a frame, by the names that Chromium gives them. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  script: ['FunctionCall', 'FireAnimationFrame', 'EvaluateScript', 'TimerFire', 'RunMicrotasks'],
  style: ['UpdateLayoutTree'],
  layout: ['Layout'],
  paint: ['PrePaint', 'Paint', 'Layerize', 'Commit'],
};

export interface Frame {
  /** Milliseconds of processor time of the page's main thread, from this frame's beginning to the next one's. */
  processor: number;
  /** Of the longest task in it: nothing that a user does is answered meanwhile. */
  longestTask: number;
  /** Of it, by kind of work. */
  parts: Record<string, number>;
}

/**
 * The frames of a trace between two marks of the page, `scroll-begin` and `scroll-end`. One begins with the task that calls
 * the page back before it draws.
 */
export function framesOf(trace: Buffer): Frame[] {
  const { traceEvents } = traceSchema.parse(JSON.parse(trace.toString('utf8')));
  const all = traceEvents.flatMap((given) => eventSchema.safeParse(given).data ?? []);
  const [begin, end] = ['scroll-begin', 'scroll-end'].map((mark) => all.find(({ name }) => name === mark));
  if (begin === undefined || end === undefined) throw new Error('internal: the trace lacks the marks of the scrolling');
  const main = all.filter(({ pid, tid, ph }) => pid === begin.pid && tid === begin.tid && ph === 'X');
  const tasks = outermostOf(main.filter(({ name, ts }) => name === 'RunTask' && ts >= begin.ts && ts <= end.ts));
  const work = tasks.map((task) => main.filter((piece) => piece !== task && isWithin(piece, task)));
  const starts = [...tasks.keys()].filter((index) => work[index]!.some(({ name }) => name === 'FireAnimationFrame'));
  return starts.map((from, nth) =>
    frameOf(tasks.slice(from, starts[nth + 1]), work.slice(from, starts[nth + 1]).flat()),
  );
}

function frameOf(tasks: readonly TraceEvent[], work: readonly TraceEvent[]): Frame {
  const processor = tasks.map(({ tdur }) => (tdur ?? 0) / 1000);
  const parts = Object.entries(PARTS).map(([part, names]) => {
    const pieces = outermostOf(work.filter(({ name }) => names.includes(name)));
    return [part, pieces.reduce((sum, { tdur }) => sum + (tdur ?? 0) / 1000, 0)] as const;
  });
  return {
    processor: processor.reduce((sum, ms) => sum + ms, 0),
    longestTask: Math.max(0, ...processor),
    parts: Object.fromEntries(parts),
  };
}

function isWithin(piece: TraceEvent, task: TraceEvent): boolean {
  return piece.ts >= task.ts && piece.ts < task.ts + (task.dur ?? 0);
}

/** Those that lie within no other. */
function outermostOf(events: readonly TraceEvent[]): TraceEvent[] {
  const sorted = events.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  let until = Number.NEGATIVE_INFINITY;
  return sorted.filter(({ ts, dur = 0 }) => {
    if (ts < until) return false;
    until = ts + dur;
    return true;
  });
}
