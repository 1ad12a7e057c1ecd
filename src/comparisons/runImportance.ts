import { setImmediate } from 'node:timers/promises';
import { badInput } from '#src/base/contracts/errors.ts';
import { flattenJson } from '#src/base/lib/flattenJson.ts';
import { findConfigurationsWithin } from '#src/runs/store/configurationRecord.ts';
import type { Distribution } from '#src/sweeps/search/distribution.ts';
import { type ParameterImportance, parameterImportance } from '#src/sweeps/search/importance/parameterImportance.ts';
import type { Point, SearchSpace } from '#src/sweeps/search/searchSpace.ts';
import { runValues } from '#src/metrics/valuesOfSeries.ts';
import { requireRuns } from '#src/runs/findRun.ts';
import { configurationsByRun } from '#src/runs/programParameters.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/** More parameters that differ are left out: those with the most different values stay. */
const MOST_PARAMETERS = 30;
/** Of the configurations, in memory. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Numbers above zero that differ by such a factor are measured by their logarithms. */
const WIDE = 50;

/**
 * How much of a metric's variance each parameter explains by itself, over any runs: as for a sweep (fANOVA), over the space from
 * the smallest to the largest value that the runs have. Runs without a finite value of the metric have no part.
 * @param references Ids or numbers of runs.
 * @returns the most important first; empty with fewer than eight such runs, or where nothing varies.
 * @throws WarrenError BAD_INPUT for runs that do not exist.
 */
export async function runImportance(
  context: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  metric: string,
): Promise<ParameterImportance[]> {
  const runs = await requireRuns(context, references);
  const hashes = [...new Set(runs.map(({ configurationHash }) => configurationHash))];
  const ids = runs.map(({ id }) => id);
  const [values, { configurations }] = await Promise.all([
    runValues(context.db, ids, { names: [metric] }),
    findConfigurationsWithin(context.db, hashes, MOST_BYTES),
  ]);
  if (configurations.length < hashes.length) {
    throw badInput('runIds: the configurations of these runs are too long together; choose fewer runs', 'runIds');
  }
  const shown = await configurationsByRun(context.db, runs, configurations);
  const points = new Map(
    [...shown].map(([id, { kind, datasetName, parameters }]): [string, Point] => [
      id,
      Object.fromEntries([
        ['kind', kind],
        ['dataset', datasetName],
        ...flattenJson(parameters, '').map(([path, value]) => [path.replace(/^\./, ''), value]),
      ]),
    ]),
  );
  const measured = runs.flatMap(({ id }) => {
    const [objective, point] = [values.get(id)?.get(metric)?.value, points.get(id)];
    return objective === undefined || point === undefined || !Number.isFinite(objective) ? [] : [{ objective, point }];
  });
  return await parameterImportance(spaceOf(measured.map(({ point }) => point)), measured, () => setImmediate());
}

/** The space that the points span: parameters that all have and that differ. */
function spaceOf(points: readonly Point[]): SearchSpace {
  const [first = {}] = points;
  const spans = Object.keys(first).flatMap((path) => {
    if (points.some((point) => point[path] === undefined)) return [];
    const values = [...new Map(points.map((point) => [JSON.stringify(point[path]), point[path]])).values()];
    return values.length < 2 ? [] : [{ path, values }];
  });
  spans.sort((a, b) => b.values.length - a.values.length || (a.path < b.path ? -1 : 1));
  return spans
    .slice(0, MOST_PARAMETERS)
    .map(({ path, values }) => ({ path, distribution: distributionOf(values), when: [] }));
}

function distributionOf(values: readonly unknown[]): Distribution {
  const numbers = values.filter((value) => typeof value === 'number' && Number.isFinite(value)) as number[];
  if (numbers.length < values.length) {
    return { type: 'categorical', values, probabilities: values.map(() => 1 / values.length) };
  }
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  const isWide = min > 0 && max / min > WIDE;
  return { type: 'numeric', spread: { type: isWide ? 'logUniform' : 'uniform', min, max }, step: null };
}
