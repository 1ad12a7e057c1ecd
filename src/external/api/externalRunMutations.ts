import { Arg, Ctx, Float, ID, Int, Mutation, Resolver, Field, InputType } from 'type-graphql';
import { addParameters } from '#src/external/addParameters.ts';
import { importRun } from '#src/external/importRun.ts';
import { createExternalRun, finishExternalRun, forkExternalRun } from '#src/external/externalRuns.ts';
import { hearHeartbeat, logExternalLines, logExternalMetrics } from '#src/external/logExternal.ts';
import { resumeExternalRun } from '#src/external/resumeExternalRun.ts';
import { correctMetrics, defineMetrics } from '#src/metrics/metricDefinitions.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { CreateRunInput } from './createRunInput.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { RunState, LogLevel, MetricGoal, SummaryRule } from '#src/base/graphql/enums.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { Run } from '#src/runs/api/run.ts';

@InputType({ description: 'A run that was executed and logged elsewhere.' })
class ImportRunInput {
  @Field(() => ID, {
    description: 'A UUID that is always the same for this run of this source: the same call again changes nothing.',
  })
  id!: string;

  @Field(() => String, { description: 'Name of the project; made where there is none.' })
  project!: string;

  @Field(() => String, { description: 'Name of the run for people; set once.' })
  name!: string;

  @Field(() => jsonScalar, { nullable: true, description: 'What the program ran, free in form; null: nothing.' })
  parameters?: unknown;

  @Field(() => String, { nullable: true, description: 'Name of the data that it used; null: none.' })
  datasetName?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Who started it there; set once. Null: who imports it.',
  })
  user?: string | null;

  @Field(() => Int, {
    defaultValue: 0,
    description: 'The seed that it used: runs of equal parameters that differ in it are replicates.',
  })
  seed!: number;

  @Field(() => [String], { defaultValue: [], description: 'Words by which it is found; set once.' })
  tags!: string[];

  @Field(() => String, { nullable: true, description: 'What people should know about it; set once.' })
  notes?: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'Where the program ran and where it was logged, free in form; set once.',
  })
  environment?: unknown;

  @Field(() => RunState, {
    nullable: true,
    description: 'RUNNING, SUCCEEDED, FAILED or CANCELLED; null: RUNNING for a new run, else as it is.',
  })
  state?: keyof typeof RunState | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it started; null: as it is, or now.' })
  startedAt?: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it ended; null: as it is, or now.' })
  endedAt?: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it failed; null: no message.' })
  errorMessage?: string | null;
}

@InputType({ description: 'New points of one metric, in columns.' })
class MetricPointsInput {
  @Field(() => String, { description: 'Name of the metric: a lower-case path such as `train/loss`.' })
  name!: string;

  @Field(() => [stepScalar], { description: 'Steps, one per point.' })
  steps!: number[];

  @Field(() => [metricValueScalar], { description: 'The value at each step, in the same order.' })
  values!: number[];

  @Field(() => [Float], { nullable: true, description: 'When each was measured, in Unix milliseconds; null: now.' })
  times?: number[] | null;
}

@InputType({ description: 'One line of a log.' })
class LogLineInput {
  @Field(() => LogLevel, { defaultValue: 'info', description: 'How serious it is.' })
  level!: keyof typeof LogLevel;

  @Field(() => String, { description: 'The line, without its line break.' })
  text!: string;

  @Field(() => Float, { nullable: true, description: 'When it was written, in Unix milliseconds; null: now.' })
  time?: number | null;
}

@InputType({ description: 'What a program says of a metric; what it leaves open stays as it was.' })
class MetricDefinitionInput {
  @Field(() => String, { description: 'Name of the metric, or with `*` for any characters: `valid/*`.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The metric that is its x axis; null: the step.' })
  stepMetric?: string | null;

  @Field(() => SummaryRule, { nullable: true, description: 'Which value stands for the series; null: the last.' })
  summary?: keyof typeof SummaryRule | null;

  @Field(() => MetricGoal, { nullable: true, description: 'Which way it is better; null: as its name says.' })
  goal?: keyof typeof MetricGoal | null;
}

/** For programs of the user's own, which execute their runs themselves. */
@Resolver()
export class ExternalRunMutations {
  @Mutation(() => Run, {
    description:
      "Starts a run that a program of the user's own executes; its kind is external. Every report of the program renews the run's lease; when the lease lapses the run is CRASHED, and the next report takes it back to RUNNING.",
  })
  async createRun(
    @Arg('input', () => CreateRunInput, { description: 'What is known of the run when it begins.' })
    input: CreateRunInput,
    @Ctx() { services, externalLeases: leases, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await createExternalRun(services, input, { leases, attempt });
  }

  @Mutation(() => Run, {
    description:
      'Makes a run that was executed and logged elsewhere, or brings one that was made so up to date. It has no lease, and takes points, lines, media and files whatever its state.',
  })
  async importRun(
    @Arg('input', () => ImportRunInput, { description: 'What its source says of it.' }) input: ImportRunInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await importRun(services, input);
  }

  @Mutation(() => Run, {
    description:
      "Branches a run that a program of the user's own executes off from any other, into the same project; `createRun` with `forkFrom` says more about it.",
  })
  async forkRun(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('step', () => stepScalar, { description: 'The last step that the new run takes from it.' }) step: number,
    @Arg('id', () => ID, {
      nullable: true,
      description: 'A UUID for the new run: the same call again answers the run that is there. Null: any.',
    })
    id: string | null | undefined,
    @Ctx() { services, externalLeases: leases, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await forkExternalRun(services, { runId, step, id }, { leases, attempt });
  }

  @Mutation(() => Run, {
    description:
      'Adds parameters to an external run that has not ended, or changes them; its configuration is final when it ends.',
  })
  async addParameters(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('parameters', () => jsonScalar, {
      description: 'Parameters by name; those that are there already are replaced.',
    })
    parameters: unknown,
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await addParameters(services, { runId, parameters, attempt });
  }

  @Mutation(() => Int, {
    description: 'Points of an external run; a point that is there already stays as it is. Answers how many were new.',
  })
  async logMetrics(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('series', () => [MetricPointsInput], { description: 'The points, metric by metric.' })
    series: MetricPointsInput[],
    @Arg('repeated', () => Boolean, {
      defaultValue: false,
      description:
        'Whether steps below 0 are taken, and several values of a step kept: the newest then stands for it in charts and tables.',
    })
    repeated: boolean,
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<number> {
    return await logExternalMetrics(services, { runId, series, repeated, attempt });
  }

  @Mutation(() => Int, {
    description:
      'What the program of an external run says of its metrics: direction, which value stands for the series, x axis. Answers how many definitions the run has.',
  })
  async defineMetrics(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('definitions', () => [MetricDefinitionInput], { description: 'The definitions, each name once.' })
    definitions: MetricDefinitionInput[],
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<number> {
    return await defineMetrics(services, { runId, definitions, attempt });
  }

  @Mutation(() => Run, {
    description:
      'Corrects what the program of an external run or a command said of its metrics, also after the run has ended. What a definition leaves open stays as it was.',
  })
  async correctMetrics(
    @Arg('id', () => ID, { description: 'Id or number of the run.' }) id: string,
    @Arg('definitions', () => [MetricDefinitionInput], { description: 'The definitions, each name once.' })
    definitions: MetricDefinitionInput[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await correctMetrics(services, { id, definitions });
  }

  @Mutation(() => Int, {
    description:
      'Lines of an external run; `from` is the number of the first, so that a repeated call changes nothing. Answers how many were new.',
  })
  async logLines(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('from', () => Int, { description: 'Number of the first line, counted from 0 within the attempt.' })
    from: number,
    @Arg('lines', () => [LogLineInput], { description: 'The lines, in order.' }) lines: LogLineInput[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<number> {
    return await logExternalLines(services, { runId, from, lines });
  }

  @Mutation(() => Run, {
    description:
      'Says that the program of an external run lives, and how far it is. CONFLICT when the run has ended, for instance because somebody cancelled it.',
  })
  async heartbeat(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('progress', () => Float, { nullable: true, description: 'Share that is done, 0 to 1; null: as before.' })
    progress: number | null | undefined,
    @Arg('progressMessage', () => String, {
      nullable: true,
      description: 'What the program does now; null: as before.',
    })
    progressMessage: string | null | undefined,
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await hearHeartbeat(services, { runId, progress, progressMessage, attempt });
  }

  @Mutation(() => Run, {
    description:
      'A program started anew goes on with an external run that has ended or still runs, as the next attempt, whose log lines count from 0. Trials of sweeps that succeeded are final.',
  })
  async resumeRun(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('afterStep', () => stepScalar, {
      nullable: true,
      description:
        'The step of the checkpoint it goes on from: later points are removed, to be written anew. Null: all points stay.',
    })
    afterStep: number | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await resumeExternalRun(services, { runId, afterStep });
  }

  @Mutation(() => Run, {
    description: 'Ends an external run, also one that has crashed; the same end told twice changes nothing.',
  })
  async finishRun(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('state', () => RunState, {
      defaultValue: 'SUCCEEDED',
      description: 'How it ended: SUCCEEDED, FAILED or CANCELLED.',
    })
    state: keyof typeof RunState,
    @Arg('errorMessage', () => String, { nullable: true, description: 'Why it failed; null: no message.' })
    errorMessage: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await finishExternalRun(services, { runId, state, errorMessage });
  }
}
