import { moduleReports } from '#src/base/platform/kindModules/loadedModules.ts';
import type { Finding } from '#src/base/terminal/finding.ts';

/** What a report of a module tells, of this process or of the API. */
interface ModuleFacts {
  module: string;
  kinds: readonly string[];
  presets: readonly string[];
  datasets: readonly string[];
  problem: string | null;
}

/** A line for each module of WARREN_KINDS that this process has met. */
export function checkKindModules(): Finding[] {
  return moduleReports().map((report) => moduleFinding('Kinds', report));
}

/** What there is to say of one module. */
export function moduleFinding(subject: string, { module, kinds, presets, datasets, problem }: ModuleFacts): Finding {
  if (problem !== null) {
    const found = `${module} is left out: ${problem}`;
    return { subject, level: 'broken', found, advice: 'correct it, or take it out of WARREN_KINDS; then start again' };
  }
  return { subject, level: 'ok', found: `${module} adds ${[...kinds, ...presets, ...datasets].join(', ')}` };
}
