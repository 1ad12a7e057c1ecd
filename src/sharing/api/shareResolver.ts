import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { isSomewhere } from '#src/people/callerAccess.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { createShareLink, sharedLinks, sharedPage, withdrawShareLink } from '#src/sharing/shareLinks.ts';
import type { ShareLinkRecord } from '#src/sharing/store/shareLink.ts';
import { type GraphqlContext, mayDo } from '#src/base/graphql/context.ts';
import { ShareLinkInput } from './shareLinkInput.ts';
import { MadeShareLink, ShareLink } from './shareLink.ts';

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
