import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { RunBundle as RunBundleRecord, RunBundlePage } from '#src/runs/runBundles.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { PageInfo } from '#src/base/graphql/pageInfo.ts';

/** Its sweep and its newest run need another look into the database: `resolvers/runBundleQueries.ts`. */
@ObjectType({ simpleResolvers: true, description: 'A run, or all matching runs of one sweep or of one study.' })
export class RunBundle implements MadeFrom<RunBundleRecord, RunBundle> {
  @Field(() => ID, { nullable: true, description: 'Name of the study that queued them; null for others.' })
  study!: string | null;

  @Field(() => Int, { description: 'How many of its runs match.' })
  runCount!: number;

  @Field(() => Int, { description: 'How many of them failed or crashed.' })
  failedCount!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A bundle within a page.' })
export class RunBundleEdge implements MadeFrom<RunBundlePage['edges'][number], RunBundleEdge> {
  @Field(() => String, { description: 'Its position, to be given as `after`.' })
  cursor!: string;

  @Field(() => RunBundle, { description: 'The bundle.' })
  node!: RunBundle;
}

@ObjectType({ simpleResolvers: true, description: 'A page of bundles.' })
export class RunBundleConnection {
  @Field(() => [RunBundleEdge], { description: 'The bundles of the page.' })
  edges!: RunBundleEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;

  @Field(() => Int, { description: 'How many bundles there are on all pages.' })
  totalCount!: number;

  @Field(() => Int, { description: 'How many runs they have together.' })
  runCount!: number;
}
