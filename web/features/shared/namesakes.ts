import { configurationFields } from '#src/base/lib/groupLabels.ts';
import { labelsOf } from '#src/base/lib/labels.ts';
import type { LabelledRun } from './runLabels.ts';

/**
 * What a list says of each of its runs beside number and name: what tells its configuration from those of others that have the
 * same name, then its seed, which is 0 where a program names none: `learningRate 0.1 · seed 3`.
 */
export function namesakeDetails(runs: readonly Omit<LabelledRun, 'number'>[]): string[] {
  const told = new Map<Omit<LabelledRun, 'number'>, string>();
  for (const wanted of new Set(runs.map(({ name }) => name))) {
    const alike = runs.filter(({ name }) => name === wanted);
    const labels = labelsOf(
      alike.map(({ configuration }) => ({ fields: new Map(configurationFields(configuration)) })),
    );
    for (const [index, run] of alike.entries()) {
      const { text, parts } = labels[index]!;
      if (parts.length > 0) told.set(run, text);
    }
  }
  return runs.map((run) =>
    [told.get(run) ?? '', run.seed === 0 ? '' : `seed ${run.seed}`].filter((part) => part !== '').join(' · '),
  );
}
