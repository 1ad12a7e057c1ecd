import { Arg, Ctx, ID, Int, Query, Resolver, Field, ObjectType } from 'type-graphql';
import { badInput } from '#src/base/contracts/errors.ts';
import { listActs } from '#src/audit/auditLog.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { requireAdmin } from '#src/people/api/tokenResolver.ts';

@ObjectType({ simpleResolvers: true, description: 'What somebody did.' })
class AuditEntry {
  @Field(() => ID, { description: 'Counts entries; give the last one of a page as `before` to go on from there.' })
  id!: string;

  @Field(() => dateTimeScalar, { description: 'When it was done.' })
  time!: Date;

  @Field(() => String, {
    description: '`token`, `user`, `share`, `command line`, or `anybody` where no token is asked for.',
  })
  actorKind!: string;

  @Field(() => String, { description: "The token's name, the user's address, the link's title." })
  actor!: string;

  @Field(() => String, { description: 'What was done: the name of a mutation, or such as `signIn`, `export`.' })
  action!: string;

  @Field(() => [String], { description: 'The projects that it concerned, by the names that they had.' })
  projects!: string[];

  @Field(() => [String], { description: 'What it concerned, such as `run 12`: the first 20.' })
  objects!: string[];

  @Field(() => Int, { description: 'How many there were of them.' })
  objectCount!: number;

  @Field(() => String, {
    description: '`done`, `refused` where nothing that was named could be changed, or the code of the error.',
  })
  result!: string;

  @Field(() => jsonScalar, { description: 'What was asked for, as far as it is no secret.' })
  details!: unknown;

  @Field(() => String, { nullable: true, description: 'The id of the request, as in the log.' })
  requestId!: string | null;
}

@Resolver()
export class AuditResolver {
  @Query(() => [AuditEntry], {
    description:
      'For admins: who did what, the newest first. Who administers some projects sees what concerns these alone. What programs log into their runs is left out.',
  })
  async auditLog(
    @Arg('since', () => dateTimeScalar, { nullable: true, description: 'Only what was done since then; null: all.' })
    since: Date | null | undefined,
    @Arg('project', () => String, { nullable: true, description: 'Only what concerned this project; null: all.' })
    project: string | null | undefined,
    @Arg('actor', () => String, { nullable: true, description: 'Only what this token or user did; null: all.' })
    actor: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 100, description: 'Entries at most, 0 to 500.' })
    first: number | null,
    @Arg('before', () => ID, { nullable: true, description: 'Only entries before the one with this id; null: all.' })
    before: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<AuditEntry[]> {
    const by = requireAdmin(context, 'entries of the audit log');
    const from = before == null ? null : Number(before);
    if (from !== null && !Number.isSafeInteger(from)) {
      throw badInput(`before: expected the id of an entry, received "${before}"`, 'before');
    }
    const page = { since, project, actor, first: pageSize(first), before: from };
    return (await listActs(context.allServices, page, by)).map((entry) => ({ ...entry, id: String(entry.id) }));
  }
}
