import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { ParameterImportance as ImportanceRecord } from '#src/sweeps/search/importance/parameterImportance.ts';
import type { ParameterLayout } from '#src/sweeps/search/parameterLayout.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { describedEnum, RunState } from '#src/base/graphql/enums.ts';
import { TrialState } from './sweep.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

export const ParameterScale = describedEnum('ParameterScale', 'How the values of a parameter are best laid out.', {
  LINEAR: 'Numbers, evenly.',
  LOGARITHMIC: 'Numbers above zero, by their logarithms.',
  CATEGORY: 'A list of values, one place each.',
});

@ObjectType({ simpleResolvers: true, description: 'A parameter of the search space of a sweep, as charts need it.' })
export class SweepParameter implements MadeFrom<ParameterLayout, SweepParameter> {
  @Field(() => String, { description: 'Names joined by dots: `optimizer.learningRate`.' })
  path!: string;

  @Field(() => ParameterScale, { description: 'How its values are best laid out.' })
  scale!: keyof typeof ParameterScale;

  @Field(() => Boolean, { description: 'Whether there is nothing to choose: a single value.' })
  constant!: boolean;

  @Field(() => Float, { nullable: true, description: 'The smallest value; null for categories, and without an end.' })
  minimum!: number | null;

  @Field(() => Float, { nullable: true, description: 'The greatest value; null for categories, and without an end.' })
  maximum!: number | null;

  @Field(() => [jsonScalar], { nullable: true, description: 'Of a category: its values in their order.' })
  values!: readonly unknown[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'How much a parameter matters to the objective of a sweep.' })
export class ParameterImportance implements MadeFrom<ImportanceRecord, ParameterImportance> {
  @Field(() => String, { description: 'The parameter.' })
  path!: string;

  @Field(() => Float, { description: '0 to 1; those of the parameters that all trials have sum to 1.' })
  importance!: number;

  @Field(() => Int, { description: 'Trials that it was estimated from: those that have the parameter.' })
  trials!: number;
}

@ObjectType({ simpleResolvers: true, description: 'The values of one parameter, one a trial.' })
export class TrialParameterColumn {
  @Field(() => String, { description: 'The parameter.' })
  path!: string;

  @Field(() => [jsonScalar], { nullable: 'items', description: 'Null where the trial does not have the parameter.' })
  values!: readonly unknown[];
}

@ObjectType({ simpleResolvers: true, description: 'Runs of trials in columns, by trial and seed.' })
export class TrialRunColumns {
  @Field(() => [Int], { description: 'The number of the trial of each run.' })
  trials!: readonly number[];

  @Field(() => [ID], { description: 'Ids of the runs.' })
  ids!: readonly string[];

  @Field(() => [Int], { description: 'Numbers of the runs.' })
  numbers!: readonly number[];

  @Field(() => [Int], { description: 'Their seeds.' })
  seeds!: readonly number[];

  @Field(() => [RunState], { description: 'How far they are.' })
  states!: readonly (keyof typeof RunState)[];

  @Field(() => [metricValueScalar], {
    nullable: 'items',
    description: "What each run has of the sweep's metric, also before its end; null without any.",
  })
  values!: readonly (number | null)[];
}

@ObjectType({ simpleResolvers: true, description: 'Many trials in little room: one entry a trial in every list.' })
export class TrialColumns {
  @Field(() => [Int], { description: 'Their numbers, rising.' })
  numbers!: readonly number[];

  @Field(() => [TrialState], { description: 'How far they are.' })
  states!: readonly (keyof typeof TrialState)[];

  @Field(() => [metricValueScalar], { nullable: 'items', description: 'Their objectives; null where there is none.' })
  objectives!: readonly (number | null)[];

  @Field(() => [String], { nullable: 'items', description: 'Why they failed, where their runs do not say so.' })
  errors!: readonly (string | null)[];

  @Field(() => [Int], {
    nullable: 'items',
    description:
      'Where early stopping last compared each with the others, in values of the metric; null where it did not.',
  })
  rungs!: readonly (number | null)[];

  @Field(() => [metricValueScalar], { nullable: 'items', description: 'The metric there.' })
  rungValues!: readonly (number | null)[];

  @Field(() => [TrialParameterColumn], { description: 'The values drawn, by parameter.' })
  parameters!: readonly TrialParameterColumn[];

  @Field(() => TrialRunColumns, { description: 'Their runs.' })
  runs!: TrialRunColumns;
}
