import { z } from 'zod';
import type { OverrecSensitivityParameters } from '#src/catalog/kinds/overrecSensitivity.ts';
import type { HeldOut } from '../evaluation/ranking/heldOut.ts';
import { openProtocol } from '../evaluation/protocols/openProtocol.ts';
import { csvText } from '../figures/figureTable.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import type { NearestSequences } from '../kernels/neighbours/nearestSequences.ts';
import { cutoffAccuracy } from './ranking/cutoffAccuracy.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import {
  nearestPrefixes,
  openPrefixEvaluation,
  type PrefixEvaluation,
  prefixRankings,
  tableProtocol,
  votingCounts,
} from './ranking/prefixNeighbours.ts';
import { sensitivityFigures } from './studies/sensitivityFigures.ts';
import {
  type SensitivityPoint,
  type SensitivityResult,
  SWEPT_NAMES,
  SWEPT_PARAMETERS,
  sensitivityPlan,
  shortNumber,
} from './studies/sensitivityPlan.ts';

type Context = ExperimentContext<OverrecSensitivityParameters>;

/** OverRec, Section VI-E and Figure 6: the metrics as the kernel's variances and other parameters change. */
export const overrecSensitivity: Experiment<OverrecSensitivityParameters> = async (context) => {
  const { parameters, reporter, dataset } = context;
  const { testPart } = openProtocol(context);
  const start = performance.now();
  const points = sensitivityPlan(parameters);
  const study = new SensitivityStudy(context, testPart);
  const results = finishedResults(context, points);
  for (const point of points.slice(results.length)) {
    const metrics = await study.metricsAt(point);
    results.push({ ...point, metrics });
    const path = SWEPT_PARAMETERS.flatMap((name) => {
      const value = point.values[name];
      return value === undefined ? [] : [SWEPT_NAMES[name], shortNumber(value)];
    });
    for (const [name, value] of Object.entries(metrics))
      reporter.metric(['test', point.kernel, ...path, name].join('/'), 0, value);
    reporter.checkpoint(results.length, Buffer.from(JSON.stringify(results.map((result) => result.metrics))));
    reporter.progress(results.length / points.length, `${results.length} of ${points.length} points`);
  }
  reporter.note('searches', study.searches);
  reporter.timing('compute', (performance.now() - start) / 1000);
  reporter.artifact('sensitivity.csv', Buffer.from(csvText(resultRows(results))), 'text/csv');
  for (const { name, figure } of sensitivityFigures(parameters, results, dataset.name))
    await reportFigure(reporter, name, { figure });
};

const finishedMetrics = z.array(z.record(z.string(), z.number()));

/** Points that an earlier attempt has computed: the first ones of the plan. Their metrics stand already. */
function finishedResults({ checkpoint, reporter }: Context, points: readonly SensitivityPoint[]): SensitivityResult[] {
  if (checkpoint === null) return [];
  const parsed = finishedMetrics.safeParse(JSON.parse(Buffer.from(checkpoint.bytes).toString('utf8')));
  if (parsed.success && parsed.data.length <= points.length)
    return parsed.data.map((metrics, place) => ({ ...points[place]!, metrics }));
  reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: the study starts anew`);
  return [];
}

/** Computes points; those that need the same neighbours share a search. */
class SensitivityStudy {
  searches = 0;
  readonly #context: Context;
  readonly #part: HeldOut;
  /** The last one opened, by its maximum length. */
  #evaluation: { maximumLength: number; opened: PrefixEvaluation } | null = null;
  /** The last neighbours found. */
  #nearest: { key: string; found: NearestSequences } | null = null;

  constructor(context: Context, part: HeldOut) {
    this.#context = context;
    this.#part = part;
  }

  async metricsAt({ kernel, values }: SensitivityPoint): Promise<Record<string, number>> {
    const { parameters, cancellation } = this.#context;
    const { activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH, duplicateTargets: duplicates } = parameters;
    const { neighbours, maximumLength, ...network } = {
      ...{ activation, layers, sigmaW, sigmaU, sigmaV, sigmaB, sigmaH },
      neighbours: parameters.neighbours,
      maximumLength: parameters.maximumLength,
      ...values,
    };
    const evaluation = this.#evaluationOf(maximumLength);
    const nearest = await this.#nearestBy(evaluation, { network, kernel, variant: parameters.variant });
    const votes = { prediction: 'weighted-y', duplicates, itemDecay: 1 } as const;
    return cutoffAccuracy(
      prefixRankings(evaluation, nearest, { neighbours, votes, candidates: parameters, cancellation }),
    );
  }

  #evaluationOf(maximumLength: number): PrefixEvaluation {
    if (this.#evaluation?.maximumLength !== maximumLength) {
      const opened = openPrefixEvaluation(this.#part, tableProtocol(maximumLength));
      this.#evaluation = { maximumLength, opened };
    }
    return this.#evaluation.opened;
  }

  async #nearestBy(
    evaluation: PrefixEvaluation,
    kernel: Parameters<typeof nearestPrefixes>[1]['kernel'],
  ): Promise<NearestSequences> {
    const { parameters, threads, cancellation } = this.#context;
    const key = JSON.stringify([evaluation.protocol.maximumLength, kernel]);
    if (this.#nearest?.key !== key) {
      const count = Math.max(
        ...votingCounts({ neighbours: parameters.neighbours, candidates: parameters }),
        ...parameters.neighboursValues,
      );
      this.searches++;
      this.#nearest = { key, found: await nearestPrefixes(evaluation, { kernel, count, threads, cancellation }) };
    }
    return this.#nearest.found;
  }
}

/** Rows of CSV: a line a point; a parameter that is at its own value there has an empty cell. */
function resultRows(results: readonly SensitivityResult[]): (string | number)[][] {
  const metrics = Object.keys(results[0]?.metrics ?? {});
  const rows = results.map((result) => [
    result.kernel,
    ...SWEPT_PARAMETERS.map((name) => result.values[name] ?? ''),
    ...metrics.map((name) => result.metrics[name] ?? ''),
  ]);
  return [['kernel', ...SWEPT_PARAMETERS, ...metrics], ...rows];
}
