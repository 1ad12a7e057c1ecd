import { groupLabels, tellingNames } from '#src/base/lib/groupLabels.ts';
import type { Comparison } from './useComparison.ts';

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
