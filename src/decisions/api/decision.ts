import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { DecisionRecord } from '#src/decisions/store/decisionRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { metricValueScalar } from '#src/base/graphql/metricValueScalar.ts';
import { describedEnum, RunState } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

export const DecisionState = describedEnum('DecisionState', 'How far an adaptive comparison is.', {
  RUNNING: 'Pairs of runs are under way.',
  DECIDED: 'The difference is beyond the boundary of a look.',
  FUTILE: 'The difference that the plan is made for would hardly be found any more.',
  UNDECIDED: 'All pairs are there, or no more would tell anything, and nothing is decided.',
  FAILED: 'Too many of its runs ended badly.',
  CANCELLED: 'Somebody ended it, with its runs.',
});

export const LookVerdict = describedEnum('LookVerdict', 'What a look has shown.', {
  decided: 'The value of t has reached its boundary.',
  futile: "The plan's own difference would hardly be found any more.",
  undecided: 'Neither.',
  unvarying: 'All differences are equal: there is nothing to test.',
});

export const ComparedSide = describedEnum('ComparedSide', 'One of the two configurations.', {
  A: 'The first.',
  B: 'The second.',
});

@ObjectType({ simpleResolvers: true, description: 'A look that a plan has, made or not.' })
export class PlannedLook {
  @Field(() => Int, { description: 'After so many pairs.' })
  pairs!: number;

  @Field(() => Float, { description: 'Of alpha, up to and with this look.' })
  spent!: number;

  @Field(() => Float, { description: 'The least |t| that decides.' })
  boundary!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What was found at a look.' })
export class DecisionLook {
  @Field(() => Int, { description: 'After so many pairs.' })
  pairs!: number;

  @Field(() => Float, { description: 'Mean of the differences, a less b.' })
  difference!: number;

  @Field(() => Float, { nullable: true, description: 'Of the paired test; null where the differences do not vary.' })
  t!: number | null;

  @Field(() => Float, { description: 'The least |t| that decides here.' })
  boundary!: number;

  @Field(() => Float, {
    description: 'Lower end of the confidence interval, which holds at all looks together with the chance 1 - alpha.',
  })
  low!: number;

  @Field(() => Float, { description: 'Its upper end.' })
  high!: number;

  @Field(() => Float, { description: "The chance to decide by the last look, were the difference the plan's own." })
  chance!: number;

  @Field(() => LookVerdict, { description: 'What it has shown.' })
  verdict!: keyof typeof LookVerdict;

  @Field(() => Float, {
    nullable: true,
    description: 'Two-sided p over all looks, where the comparison ended here; null for other looks.',
  })
  p!: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'One of the two configurations.' })
export class DecisionArm {
  @Field(() => String, { description: 'Number and name of the run that stands for it.' })
  label!: string;

  @Field(() => String, { description: 'Content hash of the configuration.' })
  configurationHash!: string;

  @Field(() => String, { description: 'Its kind.' })
  kind!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A run of a pair.' })
export class DecisionRun {
  @Field(() => ID, { description: 'Id of the run.' })
  id!: string;

  @Field(() => Int, { description: 'Its number.' })
  number!: number;

  @Field(() => RunState, { description: 'Its state.' })
  state!: keyof typeof RunState;
}

@ObjectType({ simpleResolvers: true, description: 'One run of each configuration with the same seed.' })
export class DecisionPair {
  @Field(() => Int, { description: 'From 0, in the order in which looks count them.' })
  number!: number;

  @Field(() => Int, { description: 'Of both runs.' })
  seed!: number;

  @Field(() => DecisionRun, { nullable: true, description: 'Run of the first; null where it is gone for good.' })
  runA!: DecisionRun | null;

  @Field(() => DecisionRun, { nullable: true, description: 'Run of the second; null where it is gone for good.' })
  runB!: DecisionRun | null;

  @Field(() => Boolean, { description: 'Whether the run of the first was there before.' })
  reusedA!: boolean;

  @Field(() => Boolean, { description: 'Whether the run of the second was there before.' })
  reusedB!: boolean;

  @Field(() => metricValueScalar, { nullable: true, description: 'Of the first, once both have ended well.' })
  valueA!: number | null;

  @Field(() => metricValueScalar, { nullable: true, description: 'Of the second.' })
  valueB!: number | null;

  @Field(() => String, { nullable: true, description: 'Why the pair does not count; null where it does, or may yet.' })
  problem!: string | null;
}

/** What needs its plan or another look into the database is in `resolvers/decisionResolver.ts`. */
@ObjectType({
  simpleResolvers: true,
  description: 'An adaptive comparison: pairs of runs of two configurations until a sequential test decides.',
})
export class Decision implements MadeFrom<DecisionRecord, Decision> {
  @Field(() => ID, { description: 'Never changes; also its number names it.' })
  id!: string;

  @Field(() => Int, { description: 'Counts them in the order of creation.' })
  number!: number;

  @Field(() => DecisionState, { description: 'How far it is.' })
  state!: keyof typeof DecisionState;

  @Field(() => String, { description: 'Why it is in its state; empty where nothing need be said.' })
  reason!: string;

  @Field(() => dateTimeScalar, { description: 'When it was created.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it ended; null while it has not.' })
  endedAt!: Date | null;
}
