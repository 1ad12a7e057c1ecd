import { Field, Float, InputType } from 'type-graphql';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { LogLevel, MetricGoal, SummaryRule } from '#src/base/graphql/enums.ts';

@InputType({ description: 'New points of one metric, in columns.' })
export class MetricPointsInput {
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
export class LogLineInput {
  @Field(() => LogLevel, { defaultValue: 'info', description: 'How serious it is.' })
  level!: keyof typeof LogLevel;

  @Field(() => String, { description: 'The line, without its line break.' })
  text!: string;

  @Field(() => Float, { nullable: true, description: 'When it was written, in Unix milliseconds; null: now.' })
  time?: number | null;
}

@InputType({ description: 'What a program says of a metric; what it leaves open stays as it was.' })
export class MetricDefinitionInput {
  @Field(() => String, { description: 'Name of the metric, or with `*` for any characters: `valid/*`.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The metric that is its x axis; null: the step.' })
  stepMetric?: string | null;

  @Field(() => SummaryRule, { nullable: true, description: 'Which value stands for the series; null: the last.' })
  summary?: keyof typeof SummaryRule | null;

  @Field(() => MetricGoal, { nullable: true, description: 'Which way it is better; null: as its name says.' })
  goal?: keyof typeof MetricGoal | null;
}
