import { Arg, Ctx, FieldResolver, ID, Int, Resolver, Root } from 'type-graphql';
import { findKind } from '#src/catalog/kinds.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { headlineOf, OWN_PROGRAMS } from '#src/base/lib/headlineMetrics.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { definedDirection, definitionFor, summaryValue } from '#src/metrics/metricDefinitions.ts';
import { whyDatasetIsMissing } from '#src/fleet/missingDataset.ts';
import { whatPauseHolds } from '#src/queue/pauseQueue.ts';
import { mayAddParameters, withProgramParameters } from '#src/runs/programParameters.ts';
import { presetDifferences } from '#src/runs/presetDifferences.ts';
import { whatSilentProgramWaitsFor } from '#src/fleet/releaseWorker.ts';
import { whatRunWaitsFor } from '#src/fleet/waitsFor.ts';
import type { ArtifactRecord } from '#src/artifacts/store/artifactRecord.ts';
import type { AttemptRecord } from '#src/runs/store/attemptRecord.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { RunEventRecord } from '#src/runs/store/runEvent.ts';
import type { RunInputRecord } from '#src/runs/store/runInput.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import type { WorkerRecord } from '#src/fleet/store/workerRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import type { Loaders } from '#src/graphql/loaders.ts';
import { jsonBytes } from '#src/base/graphql/answerBudget.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { Configuration } from './configuration.ts';
import { Project } from '#src/projects/api/project.ts';
import { Run } from './run.ts';
import { Artifact, Attempt, MetricSummary, PresetDifference, RunError, RunEvent, RunInput } from './runParts.ts';
import { Sweep } from '#src/sweeps/api/sweep.ts';
import { Worker } from '#src/fleet/api/worker.ts';

const DEFAULT_EVENTS = 100;
/** What an object with its fields takes in an answer. */
const ROW_BYTES = 300;

/** What a run's row only points at; a request for many runs asks the database once for each field. */
@Resolver(() => Run)
export class RunResolver {
  @FieldResolver(() => Boolean, {
    description: 'Whether somebody asked for its end; a running one stops within two seconds.',
  })
  cancelRequested(@Root() run: RunRecord): boolean {
    return run.cancelRequestedAt !== null;
  }

  @FieldResolver(() => RunError, { nullable: true, description: 'Why it failed; null where it did not.' })
  error(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): RunError | null {
    if (run.errorCode === null) return null;
    const message = run.errorMessage ?? '';
    loaders.budget.charge(message.length);
    return { code: run.errorCode, message, runId: run.id };
  }

  @FieldResolver(() => String, { description: 'What people wrote about it; may be empty.' })
  async notes(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<string> {
    const notes = (await loaders.texts.load(run.id))?.notes ?? '';
    loaders.budget.charge(notes.length);
    return notes;
  }

  @FieldResolver(() => jsonScalar, {
    description:
      'Where and with what it ran: fingerprint of the data, code version, backend, device, versions, timings, peak memory.',
  })
  async environment(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<unknown> {
    const environment = (await loaders.texts.load(run.id))?.environment ?? {};
    loaders.budget.charge(jsonBytes(environment));
    return environment;
  }

  @FieldResolver(() => Project, { description: 'The project that it belongs to.' })
  async project(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord> {
    const project = await loaders.project.load(run.projectId);
    invariant(project !== null, `run ${run.number} has no project`);
    return project;
  }

  @FieldResolver(() => Sweep, { nullable: true, description: 'The sweep that drew it, or whose trial it confirms.' })
  async sweep(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<SweepRecord | null> {
    return run.sweepId === null ? null : await loaders.sweep.load(run.sweepId);
  }

  @FieldResolver(() => Run, {
    nullable: true,
    description: 'The run from which it branched off; null where it began anew, or that run is gone.',
  })
  async forkedFrom(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord | null> {
    return run.forkedFromId === null ? null : await loaders.run.load(run.forkedFromId);
  }

  @FieldResolver(() => [Run], { description: 'The runs that branched off from it, by number.' })
  async forks(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord[]> {
    const forks = await loaders.forks.load(run.id);
    loaders.budget.charge(forks.length * ROW_BYTES);
    return forks;
  }

  @FieldResolver(() => Configuration, {
    description:
      'What it executes; runs that share it differ in their seed. Parameters of a command have what its program added, too.',
  })
  async configuration(
    @Root() run: RunRecord,
    @Arg('queued', () => Boolean, {
      defaultValue: false,
      description: 'As it was queued: without what a program added.',
    })
    queued: boolean,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<ConfigurationRecord> {
    const configuration = await loaders.configuration.load(run.configurationHash);
    invariant(configuration !== null, `run ${run.number} has no configuration`);
    if (queued || !mayAddParameters(run)) return configuration;
    return withProgramParameters(configuration, (await loaders.texts.load(run.id))?.environment);
  }

  @FieldResolver(() => Worker, {
    nullable: true,
    description: 'The worker of its newest attempt; null before the first, and for external runs.',
  })
  async worker(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<WorkerRecord | null> {
    return run.workerId === null ? null : await loaders.worker.load(run.workerId);
  }

  @FieldResolver(() => [String], {
    description:
      'What will probably keep a waiting or queued run from succeeding, or a program whose worker is silent from going on; empty otherwise.',
  })
  async warnings(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<string[]> {
    const silent = whatSilentProgramWaitsFor(run);
    if (silent !== null) return [`nothing is heard of its worker: the run waits for ${silent}`];
    if (run.state !== 'WAITING' && run.state !== 'QUEUED') return [];
    const paused = await pauseOf(run, loaders);
    const awaited = whatRunWaitsFor(run, await loaders.workersAlive());
    const name = (await loaders.configuration.load(run.configurationHash))?.datasetName;
    const missing = name == null ? null : whyDatasetIsMissing(name, await loaders.datasetsOfWorkers());
    return [
      ...(paused === null ? [] : [`the run waits for ${paused}`]),
      ...(awaited === null ? [] : [`the run waits for ${awaited}, and none is alive`]),
      ...(missing === null ? [] : [missing]),
    ];
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'For what a queued run waits beside its turn: "the queue to be resumed", or a kind of worker, since none that is alive may take it: "a worker with a GPU". Of a program whose worker is silent: "the other worker to let go".',
  })
  async waitsFor(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<string | null> {
    if (run.state !== 'QUEUED') return whatSilentProgramWaitsFor(run);
    return (await pauseOf(run, loaders)) ?? whatRunWaitsFor(run, await loaders.workersAlive());
  }

  @FieldResolver(() => [Attempt], { description: 'Every try at it, oldest first.' })
  async attempts(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<AttemptRecord[]> {
    const attempts = await loaders.attempts.load(run.id);
    loaders.budget.charge(attempts.reduce((sum, { errorMessage }) => sum + ROW_BYTES + (errorMessage?.length ?? 0), 0));
    return attempts;
  }

  @FieldResolver(() => [RunInput], { description: "Other runs' artifacts that it needs." })
  async inputs(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunInputRecord[]> {
    return await loaders.inputs.load(run.id);
  }

  @FieldResolver(() => [MetricSummary], {
    description: 'Its metrics summed up, by name.',
  })
  async metrics(
    @Root() run: RunRecord,
    @Arg('names', () => [String], { nullable: true, description: 'Names of the metrics; null: all that there are.' })
    names: string[] | null | undefined,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<MetricSummary[]> {
    if (names?.length === 0) return [];
    return await summaries(run.id, names?.filter((name) => !name.includes('\0')) ?? null, loaders);
  }

  @FieldResolver(() => MetricSummary, {
    nullable: true,
    complexity: 3,
    description:
      'The metric that tells most of it: the primary one of its kind, else of the test, of validation, and so on; null where it has none.',
  })
  async headline(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<MetricSummary | null> {
    const [{ kind } = { kind: '' }, names] = await Promise.all([
      loaders.configuration.load(run.configurationHash).then((found) => found ?? undefined),
      loaders.seriesNames.load(run.id),
    ]);
    const name = headlineOf(names, OWN_PROGRAMS.has(kind) ? null : (findKind(kind)?.primaryMetric ?? null));
    return name === null ? null : ((await summaries(run.id, [name], loaders))[0] ?? null);
  }

  @FieldResolver(() => [PresetDifference], {
    nullable: true,
    description:
      'Where its configuration differs from its preset, or without one from the defaults of its kind on the same data; null where that cannot be told, as for programs of your own.',
  })
  async presetDifferences(
    @Root() run: RunRecord,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<PresetDifference[] | null> {
    const configuration = await loaders.configuration.load(run.configurationHash);
    const differences = configuration === null ? null : presetDifferences(configuration, run.preset);
    loaders.budget.charge(jsonBytes(differences));
    return differences;
  }

  @FieldResolver(() => Int, {
    description: 'The number that the next log line of the newest attempt has; `from` of `logLines`.',
  })
  async nextLogLine(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<number> {
    return await loaders.nextLogLine.load(run.id);
  }

  @FieldResolver(() => [RunEvent], { description: 'What happened to it, oldest first.' })
  async events(
    @Root() run: RunRecord,
    @Arg('first', () => Int, { nullable: true, defaultValue: DEFAULT_EVENTS, description: 'Events at most, 0 to 500.' })
    first: number | null,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'The id of an event, to go on from there; null: from the first.',
    })
    after: string | null | undefined,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<RunEventRecord[]> {
    if (after != null && !/^\d{1,18}$/.test(after)) {
      throw badInput(`after: "${after.slice(0, 40)}" is not an event; give the id of one`, 'after');
    }
    const size = pageSize(first ?? DEFAULT_EVENTS, LIMITS.events);
    const events = await loaders.events.load(run.id, { first: size, after: after ?? null });
    loaders.budget.charge(events.reduce((sum, { message }) => sum + ROW_BYTES + message.length, 0));
    return events;
  }

  @FieldResolver(() => [Artifact], { description: 'Files that it left, by name.' })
  async artifacts(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<ArtifactRecord[]> {
    const artifacts = await loaders.artifacts.load(run.id);
    loaders.budget.charge(artifacts.length * ROW_BYTES);
    return artifacts;
  }
}

async function summaries(runId: string, names: readonly string[] | null, loaders: Loaders): Promise<MetricSummary[]> {
  const [[series], definitions] = await Promise.all([
    loaders.series.load(runId, names),
    loaders.metricDefinitions.load(runId),
  ]);
  if (series === undefined) return [];
  loaders.budget.charge(series.names.length * ROW_BYTES);
  const ruled = series.names.map((name) => (definitions.length === 0 ? null : definitionFor(definitions, name)));
  const isMean = ruled.map((definition) => definition?.summary === 'mean');
  const means = isMean.includes(true)
    ? await Promise.all(
        series.names.map((name, i) => (isMean[i] ? loaders.seriesMean.load({ runId, name }) : undefined)),
      )
    : [];
  return series.names.map((name, i) => {
    const definition = ruled[i] ?? null;
    const declared = loaders.declaredMetric(name);
    const lastValue = series.lastValues[i]!;
    const minimum = series.minima[i]!;
    const maximum = series.maxima[i]!;
    return {
      name,
      direction: definition === null ? (declared?.direction ?? null) : definedDirection(name, definition),
      description: declared?.description ?? null,
      pointCount: series.pointCounts[i]!,
      lastStep: series.lastSteps[i]!,
      lastValue,
      summary:
        definition === null ? lastValue : summaryValue({ name, lastValue, minimum, maximum }, definition, means[i]),
      summaryRule: definition?.summary ?? null,
      stepMetric: definition?.stepMetric ?? null,
      minimum,
      maximum,
    };
  });
}

/** For what a queued run waits because its kind, or everything, is paused; null where nothing is. */
async function pauseOf(run: RunRecord, loaders: Loaders): Promise<string | null> {
  if (run.state !== 'QUEUED') return null;
  const pauses = await loaders.queuePauses();
  if (pauses.length === 0) return null;
  return whatPauseHolds((await loaders.configuration.load(run.configurationHash))?.kind ?? '', pauses);
}
