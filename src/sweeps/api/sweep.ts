import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { SweepRecord } from '#src/sweeps/store/sweepRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { describedEnum } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { Run } from '#src/runs/api/run.ts';

export const SweepState = describedEnum('SweepState', 'How far a sweep is.', {
  RUNNING: 'It draws trials.',
  PAUSED: 'It draws no more trials until it is resumed; runs under way go on.',
  FINISHED: 'Its trials are drawn, and have ended.',
  CANCELLED: 'Somebody ended it, with its runs.',
});

export const TrialState = describedEnum('TrialState', 'How far a trial is.', {
  RUNNING: 'Not all of its runs have ended.',
  SUCCEEDED: 'All of its runs did what they should.',
  FAILED: 'It counts as worse than every objective.',
  CANCELLED: 'A run of it was cancelled or deleted: it says nothing.',
  PRUNED: 'It was stopped early: its value so far did not suffice.',
});

export const TrialOffer = describedEnum('TrialOffer', 'What a sweep has for an agent that asks for a trial.', {
  TAKEN: 'A run, which the agent is to execute now.',
  WAIT: 'Nothing now; it may have something later, when it is resumed.',
  ENDED: 'Nothing any more.',
});

/** What needs another look into the database is in `resolvers/sweepResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'Trials drawn from a search space by a sampler.' })
export class Sweep implements MadeFrom<SweepRecord, Sweep> {
  @Field(() => ID, { description: 'Never changes; also its number names it.' })
  id!: string;

  @Field(() => Int, { description: 'Counts sweeps in the order of creation.' })
  number!: number;

  @Field(() => String, { description: 'What people call it.' })
  name!: string;

  @Field(() => SweepState, { description: 'How far it is.' })
  state!: keyof typeof SweepState;

  @Field(() => String, { description: 'Why it is in its state; empty where nothing need be said.' })
  reason!: string;

  @Field(() => dateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it ended; null while it has not.' })
  endedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Where early stopping has compared a trial with others.' })
export class TrialRung {
  @Field(() => Int, { description: 'How many values of the metric its runs had reported.' })
  iteration!: number;

  @Field(() => metricValueScalar, { description: 'The metric there, the mean over the runs that had come so far.' })
  value!: number;
}

@ObjectType({ simpleResolvers: true, description: 'One point that a sweep has drawn, with one run for each seed.' })
export class SweepTrial {
  @Field(() => Int, { description: 'From 0, in the order of drawing.' })
  number!: number;

  @Field(() => jsonScalar, { description: 'The values drawn, by path: { "optimizer.learningRate": 0.01 }.' })
  point!: unknown;

  @Field(() => TrialState, { description: 'How far it is.' })
  state!: keyof typeof TrialState;

  @Field(() => metricValueScalar, {
    nullable: true,
    description: 'The mean of the metric over its runs; null where it did not succeed.',
  })
  objective!: number | null;

  @Field(() => String, { nullable: true, description: 'Why it failed, where its runs do not say so themselves.' })
  error!: string | null;

  @Field(() => TrialRung, {
    nullable: true,
    description: 'Where it was last compared with other trials; null where early stopping has not looked at it.',
  })
  rung!: TrialRung | null;

  @Field(() => Float, {
    description:
      'Epochs trained: the greatest step that each of its runs has logged, added up; system/* does not count.',
  })
  epochs!: number;

  @Field(() => dateTimeScalar, { description: 'When it was drawn.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Trials of a sweep, counted by their state.' })
export class TrialCounts {
  @Field(() => Int, { description: 'All that were drawn.' })
  total!: number;

  @Field(() => Int, { description: 'Those that have not ended.' })
  running!: number;

  @Field(() => Int, { description: 'Those with an objective, or without a metric.' })
  succeeded!: number;

  @Field(() => Int, { description: 'Those that failed.' })
  failed!: number;

  @Field(() => Int, { description: 'Those of which a run was cancelled or deleted.' })
  cancelled!: number;

  @Field(() => Int, { description: 'Those that were stopped early.' })
  pruned!: number;

  @Field(() => Float, { description: 'Epochs that all of them have trained together.' })
  epochs!: number;

  @Field(() => Float, { nullable: true, description: 'How many there are to be; null without a limit.' })
  planned!: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'What createSweep made of a sweep file.' })
export class CreatedSweep {
  @Field(() => Sweep, { description: 'The sweep.' })
  sweep!: Sweep;

  @Field(() => [String], { description: 'What the file asks for and is done otherwise, or not at all.' })
  warnings!: string[];
}

@ObjectType({ simpleResolvers: true, description: 'What an agent that asked for a trial is to do.' })
export class TakenTrial {
  @Field(() => TrialOffer, { description: 'Whether there is something to execute.' })
  outcome!: keyof typeof TrialOffer;

  @Field(() => String, { description: 'Why there is nothing to execute; else empty.' })
  reason!: string;

  @Field(() => Run, {
    nullable: true,
    description: 'What to execute: it runs, and has the drawn values as parameters.',
  })
  run!: Run | null;

  @Field(() => Int, { nullable: true, description: 'The number of its trial.' })
  trial!: number | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'The values drawn, by path: { "optimizer.learningRate": 0.01 }.',
  })
  point!: unknown;

  @Field(() => [String], {
    nullable: true,
    description: "Program and arguments, where the sweep names them: W&B's `program` or `command`, filled in.",
  })
  line!: string[] | null;
}
