import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { describedEnum, RunState } from '#src/base/graphql/enums.ts';

export const AlertTrigger = describedEnum('AlertTrigger', 'What an alert rule waits for.', {
  RUN_ENDED: 'A run ends in one of some states.',
  SWEEP_ENDED: 'A sweep finishes, or is cancelled.',
  METRIC_VALUE: 'A metric of a run passes a value, or is not finite.',
  NO_IMPROVEMENT: 'A metric of a run has had no better value for long.',
  WORKER_GONE: 'Nothing is heard of a worker for 30 seconds that did not stop of its own accord.',
  PROGRAM_ALERT: 'The program of a run raises an alert.',
});

export const AlertLevel = describedEnum('AlertLevel', 'How serious an alert is.', {
  info: 'Good to know.',
  warn: 'Something needs a look.',
  error: 'Something went wrong.',
});

export const ValueTest = describedEnum('ValueTest', 'How a metric is compared with a value.', {
  ABOVE: 'A value is greater.',
  BELOW: 'A value is less.',
  NOT_FINITE: 'The newest value is NaN or infinite.',
});

export const ImprovementGoal = describedEnum('ImprovementGoal', 'Which values of a metric are better.', {
  MINIMIZE: 'Lower ones.',
  MAXIMIZE: 'Higher ones.',
});

export const PatienceUnit = describedEnum('PatienceUnit', 'What patience is counted in.', {
  VALUES: 'Values of the metric: epochs, where it has one an epoch.',
  STEPS: 'Steps of the metric.',
});

export const ChannelType = describedEnum('ChannelType', 'Where messages go.', {
  webhook: 'A program: JSON, signed as https://www.standardwebhooks.com says.',
  slack: "What takes messages as Slack's incoming webhooks do.",
  email: 'A mailbox.',
});

export const MessageState = describedEnum('MessageState', 'How far a message is.', {
  PENDING: 'It is to be sent, for the first time or again.',
  SENT: 'The receiver has taken it.',
  FAILED: 'Nobody tries any more.',
});

@ObjectType({
  simpleResolvers: true,
  description: 'What a rule waits for; fields that its trigger does not have are null.',
})
export class AlertCondition {
  @Field(() => AlertTrigger, { description: 'What sort of thing.' })
  trigger!: keyof typeof AlertTrigger;

  @Field(() => [RunState], { nullable: true, description: 'Of RUN_ENDED: in which states.' })
  states?: (keyof typeof RunState)[];

  @Field(() => String, { nullable: true, description: 'Of METRIC_VALUE and NO_IMPROVEMENT: name of the metric.' })
  metric?: string;

  @Field(() => ValueTest, { nullable: true, description: 'Of METRIC_VALUE: how it is compared.' })
  is?: keyof typeof ValueTest;

  @Field(() => Float, { nullable: true, description: 'Of METRIC_VALUE: with what; 0 with NOT_FINITE.' })
  value?: number;

  @Field(() => ImprovementGoal, { nullable: true, description: 'Of NO_IMPROVEMENT: which values are better.' })
  goal?: keyof typeof ImprovementGoal;

  @Field(() => Int, { nullable: true, description: 'Of NO_IMPROVEMENT: after how many values or steps.' })
  patience?: number;

  @Field(() => PatienceUnit, { nullable: true, description: 'Of NO_IMPROVEMENT: what patience is counted in.' })
  unit?: keyof typeof PatienceUnit;
}

@ObjectType({ simpleResolvers: true, description: 'Where messages go.' })
export class AlertChannel {
  @Field(() => ChannelType, { description: 'What sort of receiver.' })
  type!: keyof typeof ChannelType;

  @Field(() => String, {
    description: 'The mailbox, or the server of the address: the rest of an address may be a secret and is not shown.',
  })
  address!: string;
}

@ObjectType({ simpleResolvers: true, description: 'When somebody is told of something, and where.' })
export class AlertRule {
  @Field(() => ID, { description: 'Never changes; also its number names it.' })
  id!: string;

  @Field(() => Int, { description: 'Counts rules in the order of creation.' })
  number!: number;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => AlertCondition, { description: 'What it waits for.' })
  condition!: AlertCondition;

  @Field(() => String, { description: 'Which runs; empty: all.' })
  filter!: string;

  @Field(() => Boolean, { description: 'Whether it tells anything.' })
  enabled!: boolean;

  @Field(() => String, { nullable: true, description: 'Why it cannot be looked after at the moment; null: it can.' })
  problem!: string | null;

  @Field(() => dateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'A rule that was made or changed.' })
export class SavedAlertRule {
  @Field(() => AlertRule, { description: 'The rule.' })
  rule!: AlertRule;

  @Field(() => String, {
    nullable: true,
    description:
      'The secret by which receivers check signatures, shown this once: when the rule gets its first webhook.',
  })
  secret!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A message that tells of alerts.' })
export class AlertMessage {
  @Field(() => ID, { description: 'The same at every attempt: receivers know by it a message that comes twice.' })
  id!: string;

  @Field(() => AlertChannel, { description: 'Where it goes.' })
  channel!: AlertChannel;

  @Field(() => MessageState, { description: 'How far it is.' })
  state!: keyof typeof MessageState;

  @Field(() => Int, { description: 'Attempts so far, the one under way included.' })
  attempts!: number;

  @Field(() => String, { nullable: true, description: 'Why the newest attempt that failed did so; null: none has.' })
  problem!: string | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it is tried next; null: never again.' })
  nextAttemptAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it was taken, or given up; null: neither yet.' })
  endedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Something that somebody was to be told.' })
export class Alert {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field(() => Int, { description: 'Counts alerts in the order in which they were raised.' })
  number!: number;

  @Field(() => AlertLevel, { description: 'How serious it is.' })
  level!: keyof typeof AlertLevel;

  @Field(() => String, { description: 'One line.' })
  title!: string;

  @Field(() => String, { description: 'More about it; may be empty.' })
  text!: string;

  @Field(() => jsonScalar, { description: 'The facts, for programs.' })
  data!: Record<string, unknown>;

  @Field(() => dateTimeScalar, { description: 'When it was raised.' })
  createdAt!: Date;
}
