import { Ctx, Query, Resolver, Field, Float, Int, ObjectType } from 'type-graphql';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type GraphqlContext, mayDo, type SlowWork as SlowWorkRecord } from '#src/base/graphql/context.ts';
import type {
  ProjectSize as ProjectSizeRecord,
  TableSize as TableSizeRecord,
} from '#src/administration/store/databaseSizes.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { describedEnum } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

const SlowWorkSort = describedEnum('SlowWorkSort', 'What took long.', {
  operation: 'An operation of GraphQL, named by its first field.',
  statement: 'A statement in the database.',
});

@ObjectType({ simpleResolvers: true, description: 'Something that took long.' })
class SlowWork implements MadeFrom<SlowWorkRecord, SlowWork> {
  @Field(() => SlowWorkSort, { description: 'What sort of work.' })
  sort!: keyof typeof SlowWorkSort;

  @Field(() => String, { description: 'The field, or the beginning of the statement without its values.' })
  what!: string;

  @Field(() => Float, { description: 'How long it took, in milliseconds.' })
  milliseconds!: number;

  @Field(() => dateTimeScalar, { description: 'When it ended.' })
  time!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A table of the database with its indices; bytes as whole numbers.' })
class TableSize implements MadeFrom<TableSizeRecord, TableSize> {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => Float, { description: 'What it takes on disk.' })
  bytes!: number;

  @Field(() => Float, { description: 'About how many rows it has.' })
  rows!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What a project takes.' })
class ProjectSize implements MadeFrom<ProjectSizeRecord, ProjectSize> {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => Int, { description: 'Its runs, but for those in the trash.' })
  runs!: number;

  @Field(() => Int, { description: 'Its runs in the trash.' })
  trashRuns!: number;

  @Field(() => Float, { description: 'Points of all metrics.' })
  points!: number;

  @Field(() => Float, { description: 'Bytes of its artifacts; content that several of its runs share counts once.' })
  artifactBytes!: number;
}

@ObjectType({ simpleResolvers: true, description: 'How an administrator finds the server.' })
class Administration {
  @Field(() => String, { description: 'Version of Warren.' })
  version!: string;

  @Field(() => String, { description: 'Markdown: what the newest version changes; empty where that is not known.' })
  changes!: string;

  @Field(() => dateTimeScalar, { description: 'Since when this API process runs.' })
  startedAt!: Date;

  @Field(() => Float, { description: 'Memory that this API process takes, in bytes.' })
  memoryBytes!: number;

  @Field(() => Float, { nullable: true, description: 'Milliseconds of an empty statement; null: no answer.' })
  databaseMs!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Milliseconds in which the queue counts its jobs; null: no answer.',
  })
  queueMs!: number | null;

  @Field(() => String, { description: 'Version of PostgreSQL.' })
  postgresVersion!: string;

  @Field(() => Int, { description: 'Connections to the database, of all programs.' })
  connections!: number;

  @Field(() => Float, { description: 'What the database takes on disk.' })
  databaseBytes!: number;

  @Field(() => [TableSize], { description: 'The 12 largest tables.' })
  tables!: TableSize[];

  @Field(() => [ProjectSize], { description: 'The 100 projects that take most.' })
  projects!: ProjectSize[];

  @Field(() => [SlowWork], {
    description: 'The last 50 slow operations and statements of this API process, the newest first.',
  })
  slowWork!: SlowWork[];

  @Field(() => dateTimeScalar, { description: 'When sizes were measured, a minute ago at most.' })
  measuredAt!: Date;
}

/** How the server is, for admins alone. */
@Resolver()
export class AdministrationResolver {
  @Query(() => Administration, { description: 'For admins: version, health, sizes and slow work of the server.' })
  async administration(@Ctx() { role, version, overview, slowWork }: GraphqlContext): Promise<Administration> {
    if (!mayDo(role, 'ADMIN')) {
      throw new WarrenError('FORBIDDEN', `administration is for a caller with role ADMIN; this one has ${role}`);
    }
    return {
      ...(await overview()),
      version,
      slowWork: slowWork(),
      startedAt: new Date(performance.timeOrigin),
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}
