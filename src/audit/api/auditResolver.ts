import { Arg, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { badInput } from '#src/base/contracts/errors.ts';
import { listActs } from '#src/audit/auditLog.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { AuditEntry } from './audit.ts';
import { requireAdmin } from '#src/people/api/tokenResolver.ts';

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
