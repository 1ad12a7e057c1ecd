import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root, Field, InputType } from 'type-graphql';
import { isSomewhere } from '#src/people/callerAccess.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { createShareLink, sharedLinks, sharedPage, withdrawShareLink } from '#src/sharing/shareLinks.ts';
import type { ShareLinkRecord } from '#src/sharing/store/shareLink.ts';
import { type GraphqlContext, mayDo } from '#src/base/graphql/context.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { MadeShareLink, ShareLink } from './shareLink.ts';

@InputType({ description: 'What a link is to show: runs, a report, or the table of a project.' })
class ShareLinkInput {
  @Field(() => [ID], {
    nullable: true,
    description: 'Ids or numbers of the runs, 200 at most: one for its page, several for their comparison.',
  })
  runs?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id or number of a report: its newest version, now and later, with the runs of its project that it shows.',
  })
  report?: string | null;

  @Field(() => String, { nullable: true, description: 'The project whose table is shown; null where runs are given.' })
  project?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Which of its runs, now and later; null: all. At most 10,000 are shown.',
  })
  filter?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'How the page shows them: what stands after `?` in its address; null: the usual.',
  })
  search?: string | null;

  @Field(() => String, { nullable: true, description: 'What people read above the page; null: what it shows.' })
  title?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether it shows what programs are and where they ran, too: code, command, arguments, host and packages; null: no.',
  })
  withProgram?: boolean | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'From when on it is void; null: until it is withdrawn.' })
  expiresAt?: Date | null;
}

/** @throws WarrenError FORBIDDEN unless the caller may change something, which alone can be shared. */
function requireWriter({ role, writes }: GraphqlContext): void {
  if (mayDo(role, 'WRITE') && isSomewhere(writes)) return;
  throw new WarrenError('FORBIDDEN', `links are for a caller with role WRITE; this one has ${role}`);
}

@Resolver(() => ShareLink)
export class ShareResolver {
  @Query(() => [ShareLink], {
    description: 'Links of the projects that the caller may change, withdrawn ones too; the newest first.',
  })
  async shareLinks(
    @Arg('project', () => String, { nullable: true, description: 'Name of a project; null: all.' })
    project: string | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<ShareLinkRecord[]> {
    requireWriter(context);
    const { writes, allServices } = context;
    const own = writes === null ? allServices : context.scoped(writes).services;
    return await sharedLinks(own, allServices, { project: project ?? null, by: writes });
  }

  @Mutation(() => MadeShareLink, {
    description: 'Makes a read-only link: whoever has it sees what it shows, without a token, and nothing else.',
  })
  async createShareLink(
    @Arg('input', () => ShareLinkInput, { description: 'What it shows.' }) input: ShareLinkInput,
    @Ctx() context: GraphqlContext,
  ): Promise<{ secret: string; address: string; link: ShareLinkRecord }> {
    requireWriter(context);
    const { services, allServices, actor } = context;
    const made = await createShareLink(services, allServices, input, actor);
    return { ...made, address: `/shared#${made.secret}` };
  }

  @Mutation(() => ShareLink, { description: 'Withdraws a link: it opens nothing any more, within seconds.' })
  async withdrawShareLink(
    @Arg('id', () => ID, { description: 'Its id.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<ShareLinkRecord> {
    requireWriter(context);
    return await withdrawShareLink(context.allServices, id, context.writes);
  }

  @FieldResolver(() => String, { description: 'The page of the dashboard that it opens, such as `/runs/12`.' })
  page(@Root() link: ShareLinkRecord): string {
    return sharedPage(link);
  }
}
