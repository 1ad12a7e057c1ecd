import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';

const OF_THE_MACHINE = /^(time|system)\//;

export interface HeadlineLimits {
  most: number;
  /** Of one part (`test`, `valid`, `train`) at most, unless others leave room. */
  perPart: number;
}

/** The names that tell most of a run, the primary metric first; no part crowds the others out. */
export function pickHeadlines(
  names: readonly string[],
  primary: string | null,
  { most, perPart }: HeadlineLimits,
): string[] {
  const ordered = names.filter((name) => !OF_THE_MACHINE.test(name)).sort(compareHeadlines(primary));
  const taken = new Map<string, number>();
  const chosen: string[] = [];
  const spare: string[] = [];
  for (const name of ordered) {
    const part = name.slice(0, Math.max(0, name.indexOf('/')));
    const count = taken.get(part) ?? 0;
    taken.set(part, count + 1);
    (count < perPart ? chosen : spare).push(name);
  }
  return [...chosen, ...spare].slice(0, most);
}
