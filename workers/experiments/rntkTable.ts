import { z } from 'zod';
import { gridOf, RNTK_KERNELS } from '#src/catalog/parameters/rntkGrids.ts';
import type { rntkTableParameters } from '#src/catalog/kinds/rntkTable.ts';
import { csvText } from '../figures/figureTable.ts';
import { reportFigure } from '../figures/reportFigure.ts';
import { type GramEngine, openGramEngine } from '../kernels/recurrent/gramEngine.ts';
import { summarizeTable, summaryRows, tableFigure, tableRows } from './series/accuracyTable.ts';
import { classifiedSeries, classifySeries } from './series/classifySeries.ts';
import type { Experiment, ExperimentContext } from './experiment.ts';
import { gridProgress } from './series/validateGrid.ts';

type Context = ExperimentContext<z.output<typeof rntkTableParameters>>;

const cell = z.object({
  dataset: z.string(),
  kernel: z.enum(RNTK_KERNELS),
  validAccuracy: z.number(),
  testAccuracy: z.number(),
  seconds: z.number(),
  selected: z.array(z.record(z.string(), z.unknown())),
});

/** What a checkpoint keeps: finished cells, and how far the one in work has come. */
const tableState = z.object({
  cells: z.array(cell),
  current: z.object({ dataset: z.string(), kernel: z.enum(RNTK_KERNELS), progress: gridProgress }).nullable(),
});
type TableState = z.output<typeof tableState>;

function earlierState({ checkpoint, reporter }: Context): TableState {
  if (checkpoint === null) return { cells: [], current: null };
  const parsed = tableState.safeParse(JSON.parse(Buffer.from(checkpoint.bytes).toString('utf8')));
  if (parsed.success) return parsed.data;
  reporter.log('warn', `the checkpoint of step ${checkpoint.step} cannot be used: the table starts anew`);
  return { cells: [], current: null };
}

/** Computes the cells that are not there yet, dataset by dataset. */
async function fillCells(context: Context, state: TableState, engine: GramEngine | null): Promise<void> {
  const { parameters, reporter, cancellation, seed } = context;
  const { datasets, kernels, samplesPerStep, costs, folds, foldSeeds, tolerance, ties } = parameters;
  const selection = { costs, folds, foldSeeds, tolerance, ties };
  const { cells, current } = state;
  const keep = (now: TableState) => reporter.checkpoint(now.cells.length, Buffer.from(JSON.stringify(now)));
  const count = datasets.length * kernels.length;
  for (const [d, name] of datasets.entries()) {
    const wanted = kernels.filter((kernel) => !cells.some((done) => done.dataset === name && done.kernel === kernel));
    if (wanted.length === 0) continue;
    const data = classifiedSeries(await context.loadSeries(name));
    reporter.note(`fingerprint ${name}`, data.fingerprint);
    for (const kernel of wanted) {
      const done = cells.length;
      const found = classifySeries(data, {
        kernel,
        grid: gridOf(kernel, { samplesPerStep }),
        ...selection,
        seed,
        engine,
        done: current?.dataset === name && current.kernel === kernel ? current.progress : null,
        keep: (progress) => keep({ cells, current: { dataset: name, kernel, progress } }),
        pulse: () => cancellation.throwIfCancelled(),
        progress: (fraction, message) => reporter.progress((done + fraction) / count, message),
      });
      const { validAccuracy, testAccuracy } = found;
      const seconds = Object.values(found.seconds).reduce((sum, phase) => sum + phase, 0);
      for (const { indefinite } of found.selected) {
        if (indefinite !== null) reporter.log('warn', `${name}, ${kernel}: ${indefinite}`);
      }
      const selected = found.selected.map((machine) => ({ ...machine }));
      cells.push({ dataset: name, kernel, validAccuracy, testAccuracy, seconds, selected });
      reporter.metric(`${kernel}/accuracy`, d, testAccuracy);
      reporter.metric(`time/${kernel}`, d, seconds);
      for (const [phase, spent] of Object.entries(found.seconds)) reporter.timing(phase, spent);
      reporter.log(
        'info',
        `${name}, ${kernel}: test accuracy ${(100 * testAccuracy).toFixed(2)} % in ${seconds.toFixed(1)} s`,
      );
      keep({ cells, current: null });
    }
  }
}

/**
 * RNTK, Tables 1 and 2: `rntk-classification` for every dataset and kernel. `KERNEL/accuracy` and `time/KERNEL` of a dataset
 * stand at its place in `datasets`; the summaries and the seconds of all cells (`time/cells`) at step 0. Accuracies as metrics are shares, in tables percent.
 */
export const rntkTable: Experiment<z.output<typeof rntkTableParameters>> = async (context) => {
  const { parameters, reporter } = context;
  const { datasets, kernels, setApart } = parameters;
  const state = earlierState(context);
  const { cells } = state;
  const engine = await openGramEngine(context.threads);
  try {
    await fillCells(context, state, engine);
  } finally {
    await engine?.close();
  }
  const accuracyOf = (dataset: string, kernel: string): number =>
    100 * (cells.find((done) => done.dataset === dataset && done.kernel === kernel)?.testAccuracy ?? Number.NaN);
  const table = { datasets, kernels, found: datasets.map((name) => kernels.map((kernel) => accuracyOf(name, kernel))) };
  const summaries = summarizeTable(table, setApart);
  for (const { kernel, found, meanAbsoluteDifference } of summaries) {
    reporter.metric(`${kernel}/mean-accuracy`, 0, found.mean / 100);
    reporter.metric(`${kernel}/p90-accuracy`, 0, found.p90);
    reporter.metric(`${kernel}/p95-accuracy`, 0, found.p95);
    reporter.metric(`${kernel}/pma`, 0, found.pma);
    reporter.metric(`${kernel}/friedman-rank`, 0, found.friedmanRank);
    if (meanAbsoluteDifference !== null) {
      reporter.metric(`${kernel}/difference-from-paper`, 0, meanAbsoluteDifference / 100);
    }
  }
  reporter.metric(
    'time/cells',
    0,
    cells.reduce((sum, { seconds }) => sum + seconds, 0),
  );
  reporter.note('summaries', summaries);
  reporter.artifact('table-2.csv', Buffer.from(csvText(tableRows(table))), 'text/csv');
  reporter.artifact('table-1.csv', Buffer.from(csvText(summaryRows(summaries))), 'text/csv');
  reporter.artifact('cells.json', Buffer.from(`${JSON.stringify(cells, null, 2)}\n`), 'application/json');
  await reportFigure(reporter, 'table-2-bars', { figure: tableFigure(table), size: { width: 1200, height: 640 } });
  reporter.progress(1, `${cells.length} cells`);
};
