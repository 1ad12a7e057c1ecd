import { configurationFields, groupLabels, tellingNames } from '#src/lib/groupLabels.ts';
import { labelsOf } from '#src/lib/labels.ts';
import type { ComparedRun, Comparison } from '#web/api/useComparison.ts';

/** Names of runs in a comparison: the number and what tells each from the others, `#12 learningRate 0.1 · seed 3`. */
export function runLabels(runs: readonly ComparedRun[]): string[] {
  const labels = labelsOf(
    runs.map((run) => ({
      fields: new Map([...configurationFields(run.configuration), ['name', run.name], ['seed', run.seed]]),
    })),
  );
  return runs.map((run, index) => `#${run.number} ${labels[index]!.text}`);
}

/** Names of the configurations in a comparison, or what else tells each from the others, in the order of its groups. */
export function comparedGroupLabels({ runs, groups }: Pick<Comparison, 'runs' | 'groups'>): string[] {
  const names = tellingNames(
    groups.map(({ runIds }) => runs.filter(({ id }) => runIds.includes(id)).map(({ name }) => name)),
  );
  if (names !== null && names.length > 1) return names;
  const configurations = groups.map(({ runIds }) => ({
    values: [],
    configuration: runs.find(({ id }) => id === runIds[0])?.configuration ?? null,
  }));
  return groupLabels(configurations, ['configuration']).map(({ text }) => text);
}
