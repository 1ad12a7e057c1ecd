import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { AlertTrigger, ImprovementGoal, PatienceUnit } from './alert.ts';
import { RunState } from '#src/base/graphql/enums.ts';

@InputType({ description: 'What a rule waits for.' })
export class AlertConditionInput {
  @Field(() => AlertTrigger, { description: 'What sort of thing.' })
  trigger!: keyof typeof AlertTrigger;

  @Field(() => [RunState], {
    nullable: true,
    description: 'Of RUN_ENDED: states in which a run ends; null: FAILED and CRASHED.',
  })
  states?: (keyof typeof RunState)[] | null;

  @Field(() => String, { nullable: true, description: 'Of METRIC_VALUE and NO_IMPROVEMENT: name of the metric.' })
  metric?: string | null;

  @Field(() => Float, { nullable: true, description: 'Of METRIC_VALUE: a value above this.' })
  above?: number | null;

  @Field(() => Float, { nullable: true, description: 'Of METRIC_VALUE: a value below this.' })
  below?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Of METRIC_VALUE: the newest value is NaN or infinite.' })
  notFinite?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Of NO_IMPROVEMENT: after how many values or steps without a better one.',
  })
  patience?: number | null;

  @Field(() => PatienceUnit, {
    nullable: true,
    description: 'Of NO_IMPROVEMENT: what patience is counted in; null: values.',
  })
  unit?: keyof typeof PatienceUnit | null;

  @Field(() => ImprovementGoal, {
    nullable: true,
    description: 'Of NO_IMPROVEMENT: which values are better; null: as the metric is declared.',
  })
  goal?: keyof typeof ImprovementGoal | null;
}

@InputType({ description: 'Where messages go: one of the three.' })
export class AlertChannelInput {
  @Field(() => String, { nullable: true, description: 'Address of a program that takes signed JSON.' })
  webhook?: string | null;

  @Field(() => String, { nullable: true, description: "Address that takes messages as Slack's incoming webhooks do." })
  slack?: string | null;

  @Field(() => String, { nullable: true, description: 'A mailbox.' })
  email?: string | null;
}

@InputType({ description: 'A rule to make, or to change: what is null stays.' })
export class SaveAlertRuleInput {
  @Field(() => ID, { nullable: true, description: 'Id or number of a rule to change; null: a new one is made.' })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the project of a new rule, which is made when there is none; null: all projects, for admins alone.',
  })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Its name.' })
  name?: string | null;

  @Field(() => AlertConditionInput, { nullable: true, description: 'What it waits for.' })
  condition?: AlertConditionInput | null;

  @Field(() => String, { nullable: true, description: 'Which runs, in the language of filters; empty: all.' })
  filter?: string | null;

  @Field(() => [AlertChannelInput], {
    nullable: true,
    description: 'Where it sends to, 10 at most; none: its alerts stand in the dashboard alone.',
  })
  channels?: AlertChannelInput[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it tells anything; a new rule does unless told not to.',
  })
  enabled?: boolean | null;
}
