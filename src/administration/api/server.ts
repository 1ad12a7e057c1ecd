import { Field, ObjectType } from 'type-graphql';
import { ProjectGrant } from '#src/people/api/apiToken.ts';
import { SharedPage } from '#src/sharing/api/shareLink.ts';

@ObjectType({ simpleResolvers: true, description: 'Who asks.' })
export class Caller {
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
export class Server {
  @Field(() => String, { description: 'Version of Warren.' })
  version!: string;

  @Field(() => String, {
    description: '`none` where the server asks for no token, else the role of the caller: `READ`, `WRITE` or `ADMIN`.',
  })
  role!: string;

  @Field(() => Boolean, { description: 'Whether the caller may pause the queue and drain workers.' })
  mayManageQueue!: boolean;
}
