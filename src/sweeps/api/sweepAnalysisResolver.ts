import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { type TrialColumns as Columns, readTrialColumns } from '#src/sweeps/trialColumns.ts';
import { sweepImportance } from '#src/sweeps/sweepImportance.ts';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { type ParameterLayout, parameterLayouts } from '#src/sweeps/search/parameterLayout.ts';
import { readSearchSpace } from '#src/sweeps/search/searchSpace.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { jsonBytes } from '#src/base/graphql/answerBudget.ts';
import { Sweep } from './sweep.ts';
import { ParameterImportance, SweepParameter, TrialColumns } from './sweepAnalysis.ts';

/** What the page of a sweep draws. */
@Resolver(() => Sweep)
export class SweepAnalysisResolver {
  @FieldResolver(() => [SweepParameter], {
    description: 'The search space, each parameter behind those it depends on.',
  })
  async parameters(@Root() sweep: SweepRecord, @Ctx() { loaders }: GraphqlContext): Promise<ParameterLayout[]> {
    const { definition } = await loaders.sweepView.load(sweep);
    const layouts = parameterLayouts(readSearchSpace(definition.parameters));
    loaders.budget.charge(jsonBytes(layouts));
    return layouts;
  }

  @FieldResolver(() => TrialColumns, {
    description: 'All trials, or those after one, with their runs, in columns: a thousand take one answer.',
  })
  async trialColumns(
    @Root() sweep: SweepRecord,
    @Arg('after', () => Int, { nullable: true, description: 'Only trials with a greater number.' }) after:
      | number
      | null
      | undefined,
    @Ctx() { loaders, services }: GraphqlContext,
  ): Promise<Columns> {
    const view = await loaders.sweepView.load(sweep);
    return await loaders.budget.read(async () => {
      const result = await readTrialColumns(services.db, view, (after ?? -1) + 1);
      const bytes = jsonBytes(result);
      loaders.budget.charge(bytes);
      return { result, bytes };
    });
  }

  @FieldResolver(() => [ParameterImportance], {
    description:
      'Which parameters matter to the objective, by fANOVA (Hutter and others, 2014); the most important first, empty with fewer than eight trials that have one.',
  })
  async importance(@Root() sweep: SweepRecord, @Ctx() { loaders }: GraphqlContext): Promise<ParameterImportance[]> {
    return await sweepImportance(await loaders.sweepView.load(sweep));
  }
}
