import { Arg, Ctx, Float, ID, Int, Mutation, Resolver } from 'type-graphql';
import { addParameters } from '../../services/addParameters.ts';
import { createExternalRun, finishExternalRun } from '../../services/externalRuns.ts';
import { hearHeartbeat, logExternalLines, logExternalMetrics } from '../../services/logExternal.ts';
import { resumeExternalRun } from '../../services/resumeExternalRun.ts';
import type { RunRecord } from '../../store/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { CreateRunInput } from '../inputs/createRunInput.ts';
import { LogLineInput, MetricPointsInput } from '../inputs/logInputs.ts';
import { jsonScalar } from '../scalars/jsonScalar.ts';
import { stepScalar } from '../scalars/stepScalar.ts';
import { RunState } from '../types/enums.ts';
import { Run } from '../types/run.ts';

/** For programs of the user's own, which execute their runs themselves. */
@Resolver()
export class ExternalRunMutations {
  @Mutation(() => Run, {
    description:
      "Starts a run that a program of the user's own executes; its kind is external. Every report of the program renews the run's lease; when the lease lapses the run is CRASHED, and the next report takes it back to RUNNING.",
  })
  async createRun(
    @Arg('input', () => CreateRunInput) input: CreateRunInput,
    @Ctx() { services, externalLeases: leases, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await createExternalRun(services, input, { leases, attempt });
  }

  @Mutation(() => Run, {
    description:
      'Adds parameters to an external run that has not ended, or changes them; its configuration is final when it ends.',
  })
  async addParameters(
    @Arg('runId', () => ID) runId: string,
    @Arg('parameters', () => jsonScalar) parameters: unknown,
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await addParameters(services, { runId, parameters, attempt });
  }

  @Mutation(() => Int, {
    description: 'Points of an external run; a point that is there already stays as it is. Answers how many were new.',
  })
  async logMetrics(
    @Arg('runId', () => ID) runId: string,
    @Arg('series', () => [MetricPointsInput]) series: MetricPointsInput[],
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<number> {
    return await logExternalMetrics(services, { runId, series, attempt });
  }

  @Mutation(() => Int, {
    description:
      'Lines of an external run; `from` is the number of the first, so that a repeated call changes nothing. Answers how many were new.',
  })
  async logLines(
    @Arg('runId', () => ID) runId: string,
    @Arg('from', () => Int) from: number,
    @Arg('lines', () => [LogLineInput]) lines: LogLineInput[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<number> {
    return await logExternalLines(services, { runId, from, lines });
  }

  @Mutation(() => Run, {
    description:
      'Says that the program of an external run lives, and how far it is. CONFLICT when the run has ended, for instance because somebody cancelled it.',
  })
  async heartbeat(
    @Arg('runId', () => ID) runId: string,
    @Arg('progress', () => Float, { nullable: true, description: '0 to 1.' }) progress: number | null | undefined,
    @Arg('progressMessage', () => String, { nullable: true }) progressMessage: string | null | undefined,
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<RunRecord> {
    return await hearHeartbeat(services, { runId, progress, progressMessage, attempt });
  }

  @Mutation(() => Run, {
    description:
      'A program started anew goes on with an external run that crashed, failed, was cancelled or still runs, as the next attempt, whose log lines count from 0.',
  })
  async resumeRun(
    @Arg('runId', () => ID) runId: string,
    @Arg('afterStep', () => stepScalar, {
      nullable: true,
      description: 'The step of the checkpoint it goes on from: later points are removed, to be written anew.',
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
    @Arg('runId', () => ID) runId: string,
    @Arg('state', () => RunState, { defaultValue: 'SUCCEEDED' }) state: keyof typeof RunState,
    @Arg('errorMessage', () => String, { nullable: true }) errorMessage: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await finishExternalRun(services, { runId, state, errorMessage });
  }
}
