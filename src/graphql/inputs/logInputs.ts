import { Field, Float, InputType } from 'type-graphql';
import { metricValueScalar } from '../scalars/metricValueScalar.ts';
import { stepScalar } from '../scalars/stepScalar.ts';
import { LogLevel } from '../types/enums.ts';

@InputType()
export class MetricPointsInput {
  @Field(() => String)
  name!: string;

  @Field(() => [stepScalar])
  steps!: number[];

  @Field(() => [metricValueScalar])
  values!: number[];

  @Field(() => [Float], { nullable: true, description: 'Unix milliseconds; now when left out.' })
  times?: number[] | null;
}

@InputType()
export class LogLineInput {
  @Field(() => LogLevel, { defaultValue: 'info' })
  level!: keyof typeof LogLevel;

  @Field(() => String)
  text!: string;

  @Field(() => Float, { nullable: true, description: 'Unix milliseconds; now when left out.' })
  time?: number | null;
}
