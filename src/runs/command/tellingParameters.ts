import { flattenObject, isPlainObject } from '#src/base/lib/plainObject.ts';
import type { ListedRun } from './runColumns.ts';

/** What of a run tells it apart. */
export type Told = Pick<ListedRun, 'name'> & { configuration: Pick<ListedRun['configuration'], 'kind' | 'parameters'> };

const MOST_TOLD = 3;

/**
 * Paths of parameters that tell runs of one name apart, those of most runs first: programs give all their runs the name of
 * their script. Runs of Warren's own kinds have in their name what was set.
 */
export async function tellingParameters(runs: readonly Told[]): Promise<string[]> {
  const { ownParameters } = await import('#src/catalog/commandLine.ts');
  const groups = new Map<string, Told[]>();
  for (const run of runs) {
    if (run.configuration.kind !== 'external' && run.configuration.kind !== 'command') continue;
    const name = run.name.replace(/ · trial \d+$/, '');
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [run]);
    else group.push(run);
  }
  const counts = new Map<string, number>();
  for (const group of groups.values()) {
    const all = group.map(({ configuration: { kind, parameters } }) => {
      const given = isPlainObject(parameters) ? parameters : {};
      return new Map(flattenObject(kind === 'command' ? ownParameters(given) : given));
    });
    for (const path of new Set(all.flatMap((one) => [...one.keys()]))) {
      const values = new Set(all.map((one) => JSON.stringify(one.get(path))));
      if (values.size > 1) counts.set(path, (counts.get(path) ?? 0) + group.length);
    }
  }
  const found = [...counts].sort(([, a], [, b]) => b - a);
  return found.slice(0, MOST_TOLD).map(([path]) => path);
}
