import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import { createExternalRun, finishExternalRun } from '../../services/externalRuns.ts';
import { logExternalLines, logExternalMetrics } from '../../services/logExternal.ts';
import type { RunRecord } from '../../store/runRecord.ts';
import type { GraphqlContext } from '../context.ts';
import { CreateRunInput } from '../inputs/createRunInput.ts';
import { LogLineInput, MetricPointsInput } from '../inputs/logInputs.ts';
import { RunState } from '../types/enums.ts';
import { Run } from '../types/run.ts';

/** For programs of the user's own, which execute their runs themselves. */
@Resolver()
export class ExternalRunMutations {
  @Mutation(() => Run, {
    description: "Starts a run that a program of the user's own executes; its kind is external.",
  })
  async createRun(
    @Arg('input', () => CreateRunInput) input: CreateRunInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await createExternalRun(services, input);
  }

  @Mutation(() => Int, {
    description: 'Points of an external run; a point that is there already stays as it is. Answers how many were new.',
  })
  async logMetrics(
    @Arg('runId', () => ID) runId: string,
    @Arg('series', () => [MetricPointsInput]) series: MetricPointsInput[],
    @Ctx() { services }: GraphqlContext,
  ): Promise<number> {
    return await logExternalMetrics(services, { runId, series });
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

  @Mutation(() => Run)
  async finishRun(
    @Arg('runId', () => ID) runId: string,
    @Arg('state', () => RunState, { defaultValue: 'SUCCEEDED' }) state: keyof typeof RunState,
    @Arg('errorMessage', () => String, { nullable: true }) errorMessage: string | null | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord> {
    return await finishExternalRun(services, { runId, state, errorMessage });
  }
}
