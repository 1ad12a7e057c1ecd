const collator = new Intl.Collator('en', { numeric: true });

/** What the first part of a name says it was measured on, by what people look at first; what stands in none is of the whole. */
const PARTS: readonly (readonly [start: RegExp, rank: number])[] = [
  [/^test([/_.-]|$)/, 1],
  [/^(val|valid|validation|eval|dev)([/_.-]|$)/, 2],
  [/^train(ing)?([/_.-]|$)/, 4],
  [/^time\//, 5],
  [/^system\//, 6],
];
const OF_THE_WHOLE = 3;
/** What a schedule sets tells nothing of how good a run is. */
const SCHEDULED = /^(?:lr(?:-.*)?|learning[_-]?rate)$/;
const COUNTERS = 4.5;

/**
 * Order in which the metrics of a run tell of it: its primary metric, then test, validation, what is of no part, training;
 * counters and learning rates, times and the machine last. Within a part metrics of the whole stand before those of parts of it, and what is measured as
 * the primary metric is before the rest.
 */
export function compareHeadlines(primary: string | null): (a: string, b: string) => number {
  const rank = (name: string): number => {
    if (name === primary) return 0;
    const lower = name.toLowerCase();
    const part = PARTS.find(([start]) => start.test(lower))?.[1] ?? OF_THE_WHOLE;
    return isCounterName(lower) || SCHEDULED.test(lastPart(lower)) ? Math.max(part, COUNTERS) : part;
  };
  const measure = primary === null ? null : lastPart(primary);
  const unlike = (name: string): number => {
    if (measure === null) return 0;
    const own = lastPart(name);
    return own === measure ? 0 : own.replace(/@.*$/, '') === measure.replace(/@.*$/, '') ? 1 : 2;
  };
  return (a, b) => rank(a) - rank(b) || depth(a) - depth(b) || unlike(a) - unlike(b) || collator.compare(a, b);
}

const EPOCH = /^(?:num|n|current)?[_-]?epochs?$/;
const STEP = /^(?:(?:global|current|total)?[_-]?steps?|iter(?:ation)?s?|batch(?:es)?)$/;
/** Steps of anything else, such as `episode/steps`, are a measure of it. */
const OF_TRAINING = /^(?:train|training|trainer|global|progress)$/;

/** Whether a metric says by its name that it only counts how far a run is: `epoch`, `trainer/global_step`. */
export function isCounterName(name: string): boolean {
  const parts = name.toLowerCase().split('/');
  const last = parts.pop()!;
  if (EPOCH.test(last)) return parts[0] !== 'time';
  return STEP.test(last) && parts.every((part) => OF_TRAINING.test(part));
}

/** Kinds whose metrics have the names that their programs give: none of them is the primary one. */
export const OWN_PROGRAMS: ReadonlySet<string> = new Set(['command', 'external']);

/** The metric that tells most of a run; null where it has none but of times and of the machine. */
export function headlineOf(names: readonly string[], primary: string | null): string | null {
  const tells = names.filter((name) => !/^(time|system)\//.test(name));
  return tells.sort(compareHeadlines(primary))[0] ?? null;
}

function depth(name: string): number {
  return name.split('/').length;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
