import { Ctx, FieldResolver, Query, Resolver, Field, ObjectType } from 'type-graphql';
import { coversProjects, isSomewhere } from '#src/people/callerAccess.ts';
import { sharedPage } from '#src/sharing/shareLinks.ts';
import { findShareLink } from '#src/sharing/store/shareLink.ts';
import { projectNames } from '#src/projects/store/projectRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { ProjectGrant } from '#src/people/api/apiToken.ts';
import { SharedPage } from '#src/sharing/api/shareLink.ts';

@ObjectType({ simpleResolvers: true, description: 'Who asks.' })
class Caller {
  @Field(() => String, { description: '`token`, `user`, `share`, `run`, or `anybody` where no token is asked for.' })
  kind!: string;

  @Field(() => String, { description: "The token's name, the user's address, the link's title." })
  name!: string;

  @Field(() => Boolean, { description: 'Whether the role holds in all projects.' })
  everywhere!: boolean;

  @Field(() => [ProjectGrant], { description: 'What the caller may do in which projects, where not in all.' })
  grants!: ProjectGrant[];

  @Field(() => Boolean, {
    description: 'Whether the caller may make tokens and read the audit log, of some projects at least.',
  })
  mayAdminister!: boolean;

  @Field(() => SharedPage, { nullable: true, description: 'What is shown to who came by a link; null for others.' })
  shared!: SharedPage | null;

  @Field(() => Boolean, { description: 'Whether the caller may make links, of some projects at least.' })
  mayShare!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'The server that answers.' })
class Server {
  @Field(() => String, { description: 'Version of Warren.' })
  version!: string;

  @Field(() => String, {
    description: '`none` where the server asks for no token, else the role of the caller: `READ`, `WRITE` or `ADMIN`.',
  })
  role!: string;

  @Field(() => Boolean, { description: 'Whether the caller may pause the queue and drain workers.' })
  mayManageQueue!: boolean;
}

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
