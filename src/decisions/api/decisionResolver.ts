import {
  Arg,
  Ctx,
  FieldResolver,
  Float,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Field,
  InputType,
} from 'type-graphql';
import { invariant } from '#src/base/lib/invariant.ts';
import { cancelDecision } from '#src/decisions/cancelDecision.ts';
import { decideComparison } from '#src/decisions/decideComparison.ts';
import { looksOf, type MadeLook, pairsSaved, planOf } from '#src/decisions/decisionPlan.ts';
import { findDecision, listDecisions } from '#src/decisions/findDecision.ts';
import { listPairs, type PairRecord } from '#src/decisions/store/decisionPair.ts';
import type { DecisionRecord } from '#src/decisions/store/decisionRecord.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import { commandCodeSize } from '#src/programs/api/commandCode.ts';
import { type GraphqlContext, requireCommandRight } from '#src/base/graphql/context.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { ComparedSide, Decision, DecisionArm, DecisionLook, DecisionPair, PlannedLook } from './decision.ts';
import { MetricDirection } from '#src/base/graphql/enums.ts';
import { Project } from '#src/projects/api/project.ts';

@InputType({ description: 'An adaptive comparison to start.' })
class DecideInput {
  @Field(() => ID, {
    description: "Id or number of a run of the first configuration, or its hash's first 8 digits or more.",
  })
  a!: string;

  @Field(() => ID, { description: 'The same of the second.' })
  b!: string;

  @Field(() => String, { description: 'The metric, whose last value counts.' })
  metric!: string;

  @Field(() => Float, {
    nullable: true,
    description: 'Chance to find a difference where there is none, over all looks together; default 0.05.',
  })
  alpha?: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Chance to find the difference that the plan is made for; default 0.8.',
  })
  power?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pairs of runs at most, 3 to 50; default 20.' })
  atMost?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pairs between looks; default 1.' })
  every?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'How alpha is spent over the looks: obrien-fleming (default), little early, or pocock, evenly, which decides large differences earlier.',
  })
  spending?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seed of the first pair; default 1. Each further pair has the next.',
  })
  firstSeed?: number | null;

  @Field(() => Int, { nullable: true, description: 'Pairs under way at once; default 1.' })
  parallel?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it ends where it is futile; default true.' })
  stopsFutile?: boolean | null;

  @Field(() => String, { nullable: true, description: "Of the new runs; default that of a's run." })
  project?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known in its project: the same call with them again, as after an answer that was lost, answers the comparison that it started, and starts none. Null: each call starts one.',
  })
  key?: string | null;
}

@Resolver(() => Decision)
export class DecisionResolver {
  @Query(() => Decision, { nullable: true, description: 'By id, or by number.' })
  async decision(
    @Arg('id', () => ID, { description: 'Id or number of the decision.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<DecisionRecord | null> {
    return await findDecision(services, id);
  }

  @Query(() => [Decision], { description: 'The newest first; `before` is the number of one, to go on from there.' })
  async decisions(
    @Arg('project', () => String, { nullable: true, description: 'Only those of this project.' }) project:
      | string
      | null
      | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Decisions at most.' }) first:
      | number
      | null,
    @Arg('before', () => Int, { nullable: true, description: 'Only those with a smaller number.' }) before:
      | number
      | null
      | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<DecisionRecord[]> {
    return await listDecisions(services, { project, first: pageSize(first), before });
  }

  @Mutation(() => Decision, {
    description:
      'Starts an adaptive comparison: pairs of runs are queued until a sequential test decides, would hardly decide any more, or all pairs are there.',
  })
  async decideComparison(
    @Arg('input', () => DecideInput, { description: 'What is compared, and how strictly.' }) input: DecideInput,
    @Ctx() context: GraphqlContext,
  ): Promise<DecisionRecord> {
    const { writes } = context;
    return await decideComparison(context.services, input, {
      require: (projectId) => requireCommandRight(context, projectId),
      codeSize: commandCodeSize(context),
      within: writes === null ? null : writes.kind === 'projects' ? writes.projects : [],
    });
  }

  @Mutation(() => Decision, { description: 'Ends a decision and cancels those of its own runs that have not ended.' })
  async cancelDecision(
    @Arg('id', () => ID, { description: 'Id or number of the decision.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<DecisionRecord> {
    return await cancelDecision(services, id);
  }

  @FieldResolver(() => Project, { description: 'To which its new runs belong.' })
  async project(@Root() decision: DecisionRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord> {
    const project = await loaders.project.load(decision.projectId);
    invariant(project !== null, `decision ${decision.number} has no project`);
    return project;
  }

  @FieldResolver(() => String, { description: 'The metric, whose last value counts.' })
  metric(@Root() decision: DecisionRecord): string {
    return planOf(decision).metric;
  }

  @FieldResolver(() => MetricDirection, { nullable: true, description: 'Which way it is better; null: nobody knows.' })
  direction(@Root() decision: DecisionRecord): keyof typeof MetricDirection | null {
    return planOf(decision).direction;
  }

  @FieldResolver(() => DecisionArm, { description: 'The first configuration.' })
  a(@Root() decision: DecisionRecord): DecisionArm {
    return planOf(decision).a;
  }

  @FieldResolver(() => DecisionArm, { description: 'The second configuration.' })
  b(@Root() decision: DecisionRecord): DecisionArm {
    return planOf(decision).b;
  }

  @FieldResolver(() => Float, { description: 'Chance to find a difference where there is none, over all looks.' })
  alpha(@Root() decision: DecisionRecord): number {
    return planOf(decision).design.alpha;
  }

  @FieldResolver(() => Float, { description: 'Chance to find a difference as large as `effect`.' })
  power(@Root() decision: DecisionRecord): number {
    return planOf(decision).design.power;
  }

  @FieldResolver(() => Float, {
    description: 'The difference that the plan is made for, in standard deviations of the difference of a pair.',
  })
  effect(@Root() decision: DecisionRecord): number {
    return planOf(decision).design.effect;
  }

  @FieldResolver(() => Int, { description: 'Pairs at most.' })
  atMost(@Root() decision: DecisionRecord): number {
    return planOf(decision).design.atMost;
  }

  @FieldResolver(() => Int, {
    description: 'Pairs that one test at the end needs for the same alpha, power and effect.',
  })
  fixedPairs(@Root() decision: DecisionRecord): number {
    return planOf(decision).design.fixedPairs;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'Pairs fewer than `fixedPairs`; below 0 where it took more. Null while it goes on, and where nothing was decided.',
  })
  pairsSaved(@Root() decision: DecisionRecord): number | null {
    return pairsSaved(decision);
  }

  @FieldResolver(() => ComparedSide, {
    nullable: true,
    description: 'Which is better; null where nothing is decided or nobody knows which way is better.',
  })
  better(@Root() decision: DecisionRecord): keyof typeof ComparedSide | null {
    const { direction } = planOf(decision);
    const look = looksOf(decision).at(-1);
    if (decision.state !== 'DECIDED' || direction === null || look === undefined) return null;
    return look.difference > 0 === (direction === 'higher') ? 'A' : 'B';
  }

  @FieldResolver(() => [PlannedLook], { description: 'The looks of the plan, with the boundary of each.' })
  plannedLooks(@Root() decision: DecisionRecord): PlannedLook[] {
    return planOf(decision).design.looks;
  }

  @FieldResolver(() => [DecisionLook], { description: 'The looks that were made, with what they showed.' })
  looks(@Root() decision: DecisionRecord): MadeLook[] {
    return looksOf(decision);
  }

  @FieldResolver(() => [DecisionPair], { description: 'Its pairs of runs, by number.' })
  async pairs(@Root() decision: DecisionRecord, @Ctx() { services }: GraphqlContext): Promise<PairRecord[]> {
    return await listPairs(services.db, decision.id, planOf(decision).metric);
  }
}
