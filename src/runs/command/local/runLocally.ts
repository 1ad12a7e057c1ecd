import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ResolvedConfiguration } from '#src/catalog/resolveConfiguration.ts';
import type { ArtifactSource } from '#src/base/contracts/executorMessages.ts';
import type { RunState } from '#src/base/contracts/runState.ts';
import { toErrorRecord, type WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { makePrivateHome } from '#src/base/platform/privateHome.ts';
import { type RunResultJson, runResultJson } from '../runResultJson.ts';
import { formatDuration } from '#src/base/terminal/formatNumber.ts';
import type { ProgressView } from '#src/base/terminal/progressView.ts';
import { executeLocally, localFolder } from './executeLocally.ts';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { csvLine } from '#src/base/lib/csvLine.ts';
import type { Report, LogLineReport } from '#src/base/contracts/reports.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';

/** What a local run has told so far. */
interface LocalRecord {
  /** The value at the greatest step of each series. */
  metrics: ReadonlyMap<string, number>;
  environment: Readonly<Record<string, unknown>>;
  fraction: number;
  message: string;
  artifacts: readonly string[];
}

interface OpenRecord extends LocalRecord {
  metrics: Map<string, number>;
  environment: Record<string, unknown>;
  artifacts: string[];
  steps: Map<string, number>;
}

interface LocalRecorder {
  readonly record: LocalRecord;
  add(reports: readonly Report[]): void;
}

/** Keeps of a run's reports what a table or a JSON object shows; log lines go to `onLine`. */
function createLocalRecorder(onLine: (line: LogLineReport) => void): LocalRecorder {
  const record: OpenRecord = {
    metrics: new Map(),
    environment: {},
    fraction: 0,
    message: '',
    artifacts: [],
    steps: new Map(),
  };
  return {
    record,
    add(reports) {
      for (const report of reports) addReport(record, report, onLine);
    },
  };
}

function addReport(record: OpenRecord, report: Report, onLine: (line: LogLineReport) => void): void {
  switch (report.type) {
    case 'metric':
      if (report.step < (record.steps.get(report.name) ?? 0)) return;
      record.steps.set(report.name, report.step);
      record.metrics.set(report.name, report.value);
      return;
    case 'log':
      onLine(report);
      return;
    case 'progress':
      record.fraction = report.fraction;
      record.message = report.message;
      return;
    case 'artifact':
      if (report.role === 'output' && !record.artifacts.includes(report.name)) record.artifacts.push(report.name);
      return;
    case 'environment':
      Object.assign(record.environment, report.values);
      return;
    case 'restart':
      record.metrics.clear();
      record.steps.clear();
      return;
    case 'warning':
      return;
    default:
      assertNever(report);
  }
}

/** The file of a local run's folder that holds its curves: a line a point, in the order of arrival. */
const POINTS_FILE = 'points.csv';

/** Adds what is reported to the file of points as it comes, so that a run that is cancelled leaves its curves, too. */
function createPointsWriter(folder: string): (reports: readonly Report[]) => void {
  const file = join(folder, POINTS_FILE);
  let isOpen = false;
  return (reports) => {
    const lines = reports.flatMap((report) =>
      report.type === 'metric'
        ? [csvLine([report.name, report.step, report.value, new Date(report.timeMs).toISOString()])]
        : [],
    );
    if (lines.length === 0) return;
    if (!isOpen) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, 'metric,step,value,time\n');
      isOpen = true;
    }
    appendFileSync(file, lines.join(''));
  };
}

export interface LocalRunOptions {
  configuration: ResolvedConfiguration;
  seeds: readonly number[];
  inputs: Record<string, ArtifactSource>;
  environment: Environment;
  /** Of which the executor's process gets those that it may know. */
  variables: NodeJS.ProcessEnv;
  view: ProgressView;
  /** Told the log lines of level warn and error, and with `verbose` all of them. */
  say(line: string): void;
  signal: AbortSignal;
}

export interface LocalRunEnd {
  result: RunResultJson;
  /** Where its artifacts and its points are; null when it left none. */
  folder: string | null;
  error: WarrenError | Error | null;
}

/** Executes the configuration once a seed, one after another, so that their timings mean something. */
export async function runLocally(options: LocalRunOptions): Promise<LocalRunEnd[]> {
  const { seeds, environment, signal } = options;
  makePrivateHome(environment.home);
  const folder = localFolder(environment.home, new Date());
  const ends: LocalRunEnd[] = [];
  for (const seed of seeds) {
    if (signal.aborted) break;
    ends.push(await runSeed(options, seed, seeds.length === 1 ? folder : join(folder, `seed-${seed}`)));
  }
  return ends;
}

async function runSeed(options: LocalRunOptions, seed: number, folder: string): Promise<LocalRunEnd> {
  const { configuration, environment, view, signal } = options;
  const { kind, parameters, dataset } = configuration;
  const runId = randomUUID();
  const started = Date.now();
  const recorder = createLocalRecorder((line) => {
    if (line.level === 'warn' || line.level === 'error') options.say(`${line.level}: ${line.text}`);
  });
  const writePoints = createPointsWriter(folder);
  const show = (state: RunState, message = recorder.record.message) =>
    view.update([{ id: runId, label: `${kind} · seed ${seed}`, state, fraction: recorder.record.fraction, message }]);
  show('RUNNING', 'starts');
  let error: Error | null = null;
  try {
    await executeLocally({
      variables: options.variables,
      task: {
        runId,
        attempt: 1,
        kind,
        parameters,
        dataset,
        seed,
        startedAtMs: started,
        threads: environment.threads,
        dataFolders: environment.dataFolders,
        offline: environment.offline,
        cacheFolder: environment.cacheFolder,
        earlierFingerprints: [],
        workFolder: join(environment.home, 'work', runId),
        inputs: options.inputs,
        checkpoint: null,
        artifactSink: { folder },
        backend: environment.backend,
        arithmetic: environment.arithmetic,
      },
      onReports(reports) {
        recorder.add(reports);
        writePoints(reports);
        show('RUNNING');
      },
      signal,
    });
    show('SUCCEEDED', formatDuration(Date.now() - started));
  } catch (thrown) {
    error = coerceError(thrown);
    const record = toErrorRecord(thrown);
    show(record.code === 'CANCELLED' ? 'CANCELLED' : 'FAILED', record.code === 'CANCELLED' ? '' : record.code);
  }
  return {
    result: resultOf(configuration, seed, recorder.record),
    folder: recorder.record.artifacts.length + recorder.record.metrics.size > 0 ? folder : null,
    error,
  };
}

function resultOf(
  { kind, dataset, parameters }: ResolvedConfiguration,
  seed: number,
  record: LocalRecord,
): RunResultJson {
  return runResultJson({
    kind,
    dataset: dataset?.name ?? null,
    seed,
    parameters,
    metrics: record.metrics,
    environment: record.environment,
  });
}
