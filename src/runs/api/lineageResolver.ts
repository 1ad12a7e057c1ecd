import { Arg, Ctx, ID, Query, Resolver, Field, Int, ObjectType } from 'type-graphql';
import { requireRun } from '#src/runs/findRun.ts';
import {
  type Lineage as LineageRecord,
  runLineage,
  type LineageEdge as LineageEdgeRecord,
  type LineageNode as LineageNodeRecord,
  type LineageRest as LineageRestRecord,
} from '#src/runs/runLineage.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { describedEnum, RunState } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

const LineageNodeType = describedEnum('LineageNodeType', 'What something in the lineage of a run is.', {
  RUN: 'A run.',
  VERSION: 'A registered version of a model or dataset.',
  DATASET: 'Data that the run used.',
  SWEEP: 'The sweep that drew the run.',
  STUDY: 'A study that queued the run.',
  DECISION: 'An adaptive comparison that the run is a part of.',
});

const LineageSide = describedEnum('LineageSide', 'A side of something in a lineage.', {
  BEFORE: 'What it was made from.',
  AFTER: 'What was made from it.',
});

@ObjectType({ simpleResolvers: true, description: 'Something in the lineage of a run.' })
class LineageNode implements MadeFrom<LineageNodeRecord, LineageNode> {
  @Field(() => ID, { description: 'Names it within this answer.' })
  id!: string;

  @Field(() => LineageNodeType, { description: 'What it is.' })
  type!: keyof typeof LineageNodeType;

  @Field(() => String, {
    description:
      'Number of the run, sweep or adaptive comparison; name of the model, dataset or study; empty where it has no page.',
  })
  reference!: string;

  @Field(() => String, { description: 'Its name, such as `ranker:3` for a version.' })
  label!: string;

  @Field(() => String, {
    description: 'What tells more of it: start of the fingerprint, trial, attempt; may be empty.',
  })
  detail!: string;

  @Field(() => RunState, { nullable: true, description: 'Of a run, how far it is; null for all else.' })
  state!: keyof typeof RunState | null;

  @Field(() => Int, { description: 'Steps from the run: -2 and -1 before it, 0 the run itself, 1 and 2 after it.' })
  distance!: number;
}

@ObjectType({ simpleResolvers: true, description: 'That one thing went into another.' })
class LineageEdge implements MadeFrom<LineageEdgeRecord, LineageEdge> {
  @Field(() => ID, { description: 'The node that was there before.' })
  from!: string;

  @Field(() => ID, { description: 'The node that was made from it.' })
  to!: string;

  @Field(() => String, { description: 'What passed: names of artifacts, the step of a fork; may be empty.' })
  label!: string;
}

@ObjectType({ simpleResolvers: true, description: 'How many neighbors of a node are left out.' })
class LineageRest implements MadeFrom<LineageRestRecord, LineageRest> {
  @Field(() => ID, { description: 'The node.' })
  node!: string;

  @Field(() => LineageSide, { description: 'On which side of it.' })
  side!: keyof typeof LineageSide;

  @Field(() => Int, { description: 'How many.' })
  count!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What a run was made from, and what was made from it.' })
class Lineage implements MadeFrom<LineageRecord, Lineage> {
  @Field(() => [LineageNode], { description: 'The run first, then all others once.' })
  nodes!: LineageNode[];

  @Field(() => [LineageEdge], { description: 'What went into what.' })
  edges!: LineageEdge[];

  @Field(() => [LineageRest], {
    description: 'Where more than 8 neighbors of a sort beside the run, or 4 beside its neighbors, are left out.',
  })
  rest!: LineageRest[];
}

/** About a dozen queries, whatever is asked for of the answer. */
const COST = 100;

@Resolver()
export class LineageResolver {
  @Query(() => Lineage, {
    complexity: ({ childComplexity }) => COST + childComplexity,
    description:
      'What a run was made from and what was made from it, two steps both ways: runs by their artifacts and forks, registered versions, data, its sweep, study and adaptive comparison. Only what the caller sees.',
  })
  async lineage(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<LineageRecord> {
    return await runLineage(services, await requireRun(services, runId, 'runId'));
  }
}
