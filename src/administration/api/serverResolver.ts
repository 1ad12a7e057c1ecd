import { Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { coversProjects, isSomewhere } from '#src/people/callerAccess.ts';
import { sharedPage } from '#src/sharing/shareLinks.ts';
import { findShareLink } from '#src/sharing/store/shareLink.ts';
import { projectNames } from '#src/projects/store/projectRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { Caller, Server } from './server.ts';

@Resolver(() => Server)
export class ServerResolver {
  @Query(() => Server, { description: 'What the server is, and what the caller may do.' })
  server(@Ctx() { version, role, mayManageQueue }: GraphqlContext): Server {
    return { version, role, mayManageQueue };
  }

  @FieldResolver(() => Caller, { description: 'Who asks, and what they may do where.' })
  async caller(@Ctx() context: GraphqlContext): Promise<Caller> {
    const { actor, reads, writes, commands, administers, services, allServices } = context;
    const link = reads?.kind === 'share' ? await findShareLink(allServices.db, reads.share) : null;
    const ids = reads?.kind === 'projects' ? reads.projects : [];
    const names = await projectNames(services.db, ids);
    const grants = ids.map((id) => ({
      project: names.get(id) ?? id,
      role: coversProjects(administers, [id]) ? 'ADMIN' : coversProjects(writes, [id]) ? 'WRITE' : 'READ',
      mayQueueCommands: coversProjects(commands, [id]),
    }));
    return {
      ...actor,
      everywhere: reads === null,
      shared: link === null ? null : { title: link.title, page: sharedPage(link) },
      grants: grants as Caller['grants'],
      mayAdminister: isSomewhere(administers),
      mayShare: isSomewhere(writes),
    };
  }
}
