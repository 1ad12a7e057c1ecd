import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { RunPage } from '#src/runs/listRuns.ts';
import type { MatchingChange } from '#src/runs/changeMatchingRuns.ts';
import type { RunOutcome as RunOutcomeRecord } from '#src/runs/runOutcome.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { RunState } from '#src/base/graphql/enums.ts';
import { PageInfo } from '#src/base/graphql/pageInfo.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

/** What needs another look into the database is in `resolvers/runResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'One execution of a configuration with one seed.' })
export class Run implements MadeFrom<RunRecord, Run> {
  @Field(() => ID, { description: 'Identifies the run.' })
  id!: string;

  @Field(() => Int, { description: 'Its number, in the order of creation; `run` and the command line take it, too.' })
  number!: number;

  @Field(() => String, { description: 'Its name for people; not unique.' })
  name!: string;

  @Field(() => [String], { description: 'Words by which runs are found.' })
  tags!: string[];

  @Field(() => String, {
    nullable: true,
    description:
      "Who made it: the person signed in, else the user name that its program told, else the token's name; null where nobody said.",
  })
  user!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The preset from which its parameters were filled in; null where there was none.',
  })
  preset!: string | null;

  @Field(() => Int, { description: 'Decides all that is random in it.' })
  seed!: number;

  @Field(() => RunState, { description: 'How far it is.' })
  state!: keyof typeof RunState;

  @Field(() => Int, { description: 'Its place in the queue: 1 is taken first, 2,097,151 last.' })
  priority!: number;

  @Field(() => Boolean, { description: 'Only workers with a graphics processor execute it.' })
  requiresGpu!: boolean;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'What a worker must have free for a command: gpus, memoryMb, cores, labels, and seconds at most.',
  })
  needs!: unknown;

  @Field(() => [Int], { description: 'Numbers of the GPUs that the newest attempt was given.' })
  gpus!: number[];

  @Field(() => Int, { description: "The newest attempt's number, 0 before the first." })
  attempt!: number;

  @Field(() => Int, { description: 'How often it is tried when workers are lost.' })
  maxAttempts!: number;

  @Field(() => Float, { description: 'Share that is done, 0 to 1.' })
  progress!: number;

  @Field(() => String, { description: 'What it does now; may be empty.' })
  progressMessage!: string;

  @Field(() => stepScalar, {
    nullable: true,
    description: 'The last step that it has from the run from which it branched off; null where it began anew.',
  })
  forkStep!: number | null;

  @Field(() => dateTimeScalar, { description: 'When it was queued, or begun by a program.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When its first attempt began; null before.' })
  startedAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it ended; null before.' })
  endedAt!: Date | null;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'The last report of an external run; null for runs of workers.',
  })
  lastHeardAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds of silence after which an external run counts as CRASHED; null for runs of workers.',
  })
  leaseSeconds!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Which trial of its sweep it belongs to; null for others, and for runs that confirm one.',
  })
  sweepTrial!: number | null;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'When it was moved to the trash; null where it is not in it.',
  })
  deletedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A run within a page.' })
export class RunEdge implements MadeFrom<RunPage['edges'][number], RunEdge> {
  @Field(() => String, { description: 'Its position, to be given as `after`.' })
  cursor!: string;

  @Field(() => Run, { description: 'The run.' })
  node!: Run;
}

@ObjectType({ simpleResolvers: true, description: 'A page of runs.' })
export class RunConnection {
  @Field(() => [RunEdge], { description: 'The runs of the page.' })
  edges!: RunEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'How many runs there are on all pages.' })
  totalCount!: number;

  @Field(() => [String], {
    description:
      'On the first page: where no run matches, what of the filter no run of the project has, and what may be meant; where none has what they are ordered by, the same of that.',
  })
  hints!: string[];
}

@ObjectType({
  simpleResolvers: true,
  description: 'What an action on many runs did: one entry each, in the order given.',
})
export class RunOutcome implements MadeFrom<RunOutcomeRecord, RunOutcome> {
  @Field(() => ID, { description: 'The run, as it was asked for.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether it was done.' })
  done!: boolean;

  @Field(() => String, { nullable: true, description: 'Why not; null where it was done.' })
  message!: string | null;

  @Field(() => Run, { nullable: true, description: 'The run as it is now; null where there is none.' })
  run!: Run | null;
}

@ObjectType({ simpleResolvers: true, description: 'What was done with all runs that matched.' })
export class RunsChange implements MadeFrom<MatchingChange, RunsChange> {
  @Field(() => [ID], { description: 'Ids of the runs with which it was done, the oldest first.' })
  changedIds!: string[];

  @Field(() => [RunOutcome], { description: 'The first 20 with which it was not done, and why.' })
  refused!: RunOutcome[];

  @Field(() => Int, { description: 'With how many it was not done.' })
  refusedCount!: number;
}
