import { z } from 'zod';
import { metricHints } from '#src/base/contracts/runFilter/filterHints.ts';
import { MetricHistoryDocument, type MetricHistoryQuery } from '#src/generated/api.ts';
import { fetchRuns } from '#src/runs/command/fetchRuns.ts';
import { fetchUsedNames } from '#src/runs/command/usedNames.ts';
import { runsInput } from '#src/base/tools/inputs.ts';
import { markdownTable, NOTHING, paragraphs, significantDigits } from '#src/base/tools/markdown.ts';
import { defineTool } from '#src/base/tools/tool.ts';

type Series = MetricHistoryQuery['metricHistory'][number] & { run: number };

const step = z.number().int().optional();

export const runCurves = defineTool({
  name: 'run_curves',
  title: 'Curves of metrics',
  description:
    'How metrics of one or several runs went: values over steps. A series longer than `points` is cut into as many buckets, each with its value at the step shown and, in the structured answer, its least and greatest value.',
  effect: 'reads',
  input: z.strictObject({
    runs: runsInput(20),
    metrics: z.array(z.string()).min(1).max(10).describe('Names of metrics, such as train/loss; show_run lists them'),
    points: z.number().int().min(2).max(500).default(15).describe('Points, or buckets, of a series at most'),
    fromStep: step.describe('Only from this step on'),
    toStep: step.describe('Only up to this step'),
  }),
  async answer({ api }, { runs: ids, metrics, points, fromStep, toStep }) {
    const runs = await fetchRuns(api, ids);
    const numbers = new Map(runs.map(({ id, number }) => [id, number]));
    const { metricHistory } = await api.request(MetricHistoryDocument, {
      runIds: [...numbers.keys()],
      names: metrics,
      maxPoints: points,
      fromStep: fromStep ?? null,
      toStep: toStep ?? null,
    });
    const series = metricHistory.map((one) => ({ ...one, run: numbers.get(one.runId) ?? 0 }));
    const missing = metrics.filter((name) => !series.some((one) => one.name === name && one.pointCount > 0));
    const hints = missing.length === 0 ? [] : metricHints(missing, await fetchUsedNames(api, undefined));
    const none = missing.filter((name) => !hints.some((hint) => hint.includes(`"${name}"`)));
    return {
      text: paragraphs(
        ...metrics.map((name) =>
          curveText(
            name,
            series.filter((one) => one.name === name && one.steps.length > 0),
          ),
        ),
        ...hints,
        none.length === 0 ? null : `None of these runs has ${none.join(', ')}.`,
      ),
      data: {
        series: series.map(({ run, name, steps, values, minimum, maximum, pointCount }) => ({
          ...{ run, metric: name, steps, values, pointCount },
          ...(minimum === null ? {} : { minimum, maximum }),
        })),
      },
    };
  },
});

/** One table where the runs have the same steps, else one each. */
function curveText(name: string, series: readonly Series[]): string | null {
  const [first] = series;
  if (first === undefined) return null;
  const isAligned = series.every(({ steps }) => steps.join() === first.steps.join());
  const tables = isAligned ? [series] : series.map((one) => [one]);
  const counts = series.map(({ run, pointCount }) => `#${run} ${pointCount}`).join(', ');
  return paragraphs(`**${name}**, points: ${counts}`, ...tables.map(tableOf));
}

function tableOf(series: readonly Series[]): string {
  const rows = (series[0]?.steps ?? []).map((at, index) => [
    String(at),
    ...series.map(({ values }) => significantDigits(values[index])),
  ]);
  return rows.length === 0 ? NOTHING : markdownTable(['step', ...series.map(({ run }) => `#${run}`)], rows);
}
