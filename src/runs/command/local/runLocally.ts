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
import { createPointsWriter } from './localPoints.ts';
import { createLocalRecorder, type LocalRecord } from './localRecord.ts';

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
