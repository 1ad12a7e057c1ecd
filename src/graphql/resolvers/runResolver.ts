import { Arg, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { metricDirection } from '../../catalog/metricDirection.ts';
import { invariant } from '../../lib/invariant.ts';
import type { ArtifactRecord } from '../../store/artifactRecord.ts';
import type { AttemptRecord } from '../../store/attemptRecord.ts';
import type { ConfigurationRecord } from '../../store/configurationRecord.ts';
import type { ProjectRecord } from '../../store/projectRecord.ts';
import type { RunEventRecord } from '../../store/runEvent.ts';
import type { RunInputRecord } from '../../store/runInput.ts';
import type { RunRecord } from '../../store/runRecord.ts';
import type { WorkerRecord } from '../../store/workerRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { Configuration } from '../types/configuration.ts';
import { Project } from '../types/project.ts';
import { Run } from '../types/run.ts';
import { Artifact, Attempt, MetricSummary, RunError, RunEvent, RunInput } from '../types/runParts.ts';
import { Worker } from '../types/worker.ts';

/** What a run's row only points at; a request for many runs asks the database once for each field. */
@Resolver(() => Run)
export class RunResolver {
  @FieldResolver(() => Boolean)
  cancelRequested(@Root() run: RunRecord): boolean {
    return run.cancelRequestedAt !== null;
  }

  @FieldResolver(() => RunError, { nullable: true })
  error(@Root() run: RunRecord): RunError | null {
    if (run.errorCode === null) return null;
    return { code: run.errorCode, message: run.errorMessage ?? '', stack: run.errorStack };
  }

  @FieldResolver(() => Project)
  async project(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord> {
    const project = await loaders.project.load(run.projectId);
    invariant(project !== null, `run ${run.number} has no project`);
    return project;
  }

  @FieldResolver(() => Configuration)
  async configuration(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<ConfigurationRecord> {
    const configuration = await loaders.configuration.load(run.configurationHash);
    invariant(configuration !== null, `run ${run.number} has no configuration`);
    return configuration;
  }

  @FieldResolver(() => Worker, { nullable: true })
  async worker(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<WorkerRecord | null> {
    return run.workerId === null ? null : await loaders.worker.load(run.workerId);
  }

  @FieldResolver(() => [Attempt])
  async attempts(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<AttemptRecord[]> {
    return await loaders.attempts.load(run.id);
  }

  @FieldResolver(() => [RunInput])
  async inputs(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunInputRecord[]> {
    return await loaders.inputs.load(run.id);
  }

  @FieldResolver(() => [MetricSummary], {
    description: 'The series of the run, by name; all of them, or those asked for.',
  })
  async metrics(
    @Root() run: RunRecord,
    @Arg('names', () => [String], { nullable: true }) names: string[] | null | undefined,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<MetricSummary[]> {
    if (names?.length === 0) return [];
    const wanted = names == null ? null : new Set(names);
    const series = await loaders.series.load(run.id);
    return series
      .filter(({ name, pointCount }) => pointCount > 0 && (wanted === null || wanted.has(name)))
      .map((one) => ({ ...one, direction: metricDirection(one.name) }));
  }

  @FieldResolver(() => [RunEvent])
  async events(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunEventRecord[]> {
    return await loaders.events.load(run.id);
  }

  @FieldResolver(() => [Artifact])
  async artifacts(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<ArtifactRecord[]> {
    return await loaders.artifacts.load(run.id);
  }
}
