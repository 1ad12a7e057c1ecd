import { shellCommand } from '#src/base/lib/projectRoot.ts';
import { join } from 'node:path';
import { readEnvironment, type Environment } from '#src/base/platform/environment.ts';
import { readInstance } from '#src/base/platform/instance.ts';
import { EnqueueRunsDocument, type RunSummaryFragment, type EnqueueRunsInput } from '#src/generated/api.ts';
import { fetchComparison } from '#src/comparisons/command/fetchComparison.ts';
import { type ApiClient, createApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { comparisonTable } from '#src/comparisons/command/comparisonTable.ts';
import { followRuns, progressRow } from '#src/runs/command/followRuns.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { formatDuration } from '#src/base/terminal/formatNumber.ts';
import { createProgressView } from '#src/base/terminal/progressView.ts';
import { serveUntilStopped } from '../up/serveUntilStopped.ts';
import { knownDataset } from '#src/catalog/datasets.ts';
import { datasetReportSchema } from '#src/base/contracts/datasetReport.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { downloadDataset } from '#src/datasets/downloadDataset.ts';
import { datasetsSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';

const REAL = 'amazon-beauty';
const GENERATED = 'generated/markov-medium';

/** A newcomer does not wait longer for a dataset of 1 MB; what has come is taken up again the next time. */
const PATIENCE_MS = 20_000;

/**
 * Amazon Beauty where a data folder has it or its public home can be reached, else generated data, with words about it for
 * the newcomer.
 */
async function chooseDataset(
  context: CommandContext,
  environment: Environment,
): Promise<{ name: string; words: string }> {
  const { dataFolders } = environment;
  const datasets = await inspectNumerics(context, ['datasets'], datasetsSchema);
  const real = datasets.find((dataset) => dataset.name === REAL);
  if (real !== undefined && real.path !== null) return { name: REAL, words: `dataset ${REAL}, from ${real.path}` };
  const fetched = await fetchReal(context, environment);
  if ('words' in fetched) return { name: REAL, words: fetched.words };
  return {
    name: GENERATED,
    words: `${REAL} was not found in ${dataFolders.join(', ')}${fetched.reason}: running on generated data (${GENERATED}). Set WARREN_DATA to a folder with datasets for real ones; \`warren data ls\` says where they come from.`,
  };
}

/** Tries once to fetch it; `reason`, where it did not come, goes on the sentence that says so. */
async function fetchReal(
  context: CommandContext,
  { dataFolders, offline }: Environment,
): Promise<{ words: string } | { reason: string }> {
  const [dataset, folder] = [knownDataset(REAL), dataFolders.at(-1)];
  if (offline || dataset === undefined || folder === undefined) return { reason: '' };
  try {
    await downloadDataset(dataset, {
      folder,
      onProgress: () => undefined,
      retry: { retries: 0 },
      signal: AbortSignal.timeout(PATIENCE_MS),
      async verify(staged) {
        const question = JSON.stringify({ name: REAL, lenient: false, folder: staged });
        await inspectNumerics(context, ['report', question], datasetReportSchema);
      },
    });
    return { words: `dataset ${REAL}, fetched from ${dataset.downloads[0]?.url ?? dataset.home} into ${folder}` };
  } catch (thrown) {
    return { reason: ` and could not be fetched (${coerceError(thrown).message})` };
  }
}

/** Project of the demo's runs. */
const DEMO_PROJECT = 'demo';

/** Metrics of the closing table. */
const DEMO_METRICS = ['test/ndcg@10', 'test/mrr@10', 'test/hr@10'] as const;

/**
 * The experiments of the demo: OverRec's two kernels beside the usual comparators, one of them trained with three seeds, for
 * fewer epochs than by default: nobody should wait longer than half a minute.
 */
function demoRuns(dataset: string): EnqueueRunsInput[] {
  const common = { project: DEMO_PROJECT, dataset: { name: dataset }, tags: ['demo'] };
  return [
    { ...common, kind: 'overrec', name: 'OverRec, RNTK', parameters: { kernel: 'rntk' } },
    { ...common, kind: 'overrec', name: 'OverRec, NNGP', parameters: { kernel: 'nngp' } },
    { ...common, kind: 'popularity', name: 'Popularity' },
    { ...common, kind: 'item-knn', name: 'Item kNN' },
    { ...common, kind: 'markov', name: 'Markov chain' },
    { ...common, kind: 'mf-bpr', name: 'MF-BPR', seeds: [1, 2, 3], parameters: { epochs: 15, dimension: 32 } },
  ];
}

export interface DemoFlags {
  exit?: boolean;
  dataset?: string;
  port?: number;
}

/** The body of `warren demo`. Where a Warren runs in this home already, its runs go there. */
export async function runDemo(context: CommandContext, flags: DemoFlags): Promise<void> {
  const { terminal } = context;
  if (flags.port !== undefined) process.env.WARREN_PORT = String(flags.port);
  const environment = readEnvironment();
  // Looked for while everything starts.
  const dataset =
    flags.dataset === undefined
      ? chooseDataset(context, environment)
      : Promise.resolve({ name: flags.dataset, words: `dataset ${flags.dataset}` });
  dataset.catch(() => {}); // thrown where it is awaited
  const say = (line: string) => terminal.say(`warren: ${line}`);
  const running = await readInstance(environment.home);
  if (running !== null) {
    say(`Warren runs already at ${running.apiUrl} (process ${running.pid}): the demo runs there`);
    const interruption = context.catchInterruption();
    const api = createApiClient({ url: running.apiUrl, token: running.token ?? environment.token });
    try {
      await demonstrate(context, { api, dataset: await dataset, signal: interruption.signal });
    } catch (error) {
      if (!interruption.signal.aborted) throw error;
      context.exitCode = interruption.exitCode();
    } finally {
      interruption.release();
    }
    return;
  }
  const started = performance.now();
  const logs = { folder: join(environment.home, 'logs') };
  say('starting the database, the API and a worker …');
  await serveUntilStopped(context, {
    stack: { environment, workers: 1, logs, say },
    say,
    async onStarted({ url, token }, signal) {
      say(`up after ${formatDuration(performance.now() - started)}; logs are in ${logs.folder}`);
      await demonstrate(context, { api: createApiClient({ url, token }), dataset: await dataset, signal });
      if (flags.exit === true) return 'end';
      terminal.print(`\nDashboard: ${terminal.colours.bold(terminal.colours.cyan(url))}   (Ctrl-C stops everything)`);
      return 'serve';
    },
  });
}

interface Demonstration {
  api: ApiClient;
  dataset: { name: string; words: string };
  signal: AbortSignal;
}

/** Queues the runs, shows them until they have ended, and prints the comparison. */
async function demonstrate(context: CommandContext, { api, dataset, signal }: Demonstration): Promise<void> {
  const { terminal } = context;
  terminal.say(`warren: ${dataset.words}`);
  const queued: RunSummaryFragment[] = [];
  // One after another: runs are taken in the order of their numbers.
  for (const input of demoRuns(dataset.name)) {
    queued.push(...(await api.request(EnqueueRunsDocument, { input })).enqueueRuns);
  }
  terminal.print(`${queued.length} runs are queued; watch them at ${terminal.colours.cyan(api.url)}\n`);
  const started = performance.now();
  const view = createProgressView(terminal.out, context.variables);
  view.update(queued.map(progressRow));
  const ids = queued.map((run) => run.id);
  let ended: RunSummaryFragment[];
  try {
    ended = await followRuns(api, ids, {
      onUpdate: (runs) => view.update(runs.map(progressRow)),
      onAway: () => terminal.say('warren: the API does not answer; waiting for it'),
      signal,
    });
  } finally {
    view.finish();
  }
  const comparison = await fetchComparison(api, ids);
  terminal.print(
    `\nCompared on ${dataset.name}, all items ranked, ${formatDuration(performance.now() - started)} in all:\n`,
  );
  const table = comparisonTable(withoutParameters(comparison), {
    colours: terminal.colours,
    width: terminal.width(),
    metrics: DEMO_METRICS,
  });
  terminal.print(table.join('\n'));
  const numbers = ended.map((run) => run.number).join(' ');
  terminal.print(`\n\`${shellCommand()} compare ${numbers}\` shows all metrics and every difference.`);
  if (ended.some((run) => run.state !== 'SUCCEEDED')) context.exitCode = EXIT_FAILED;
}

/** Different kinds differ in nearly all of their parameters: the demo's table is about results. */
function withoutParameters<T extends { fields: readonly { path: string }[] }>(comparison: T): T {
  return { ...comparison, fields: [] };
}
