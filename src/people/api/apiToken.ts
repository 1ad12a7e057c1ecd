import { Field, ID, ObjectType } from 'type-graphql';
import type { GrantedToken } from '#src/people/apiTokens.ts';
import type { GrantRecord } from '#src/people/store/accessGrant.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { TokenRole } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'What a token or a user may do in one project.' })
export class ProjectGrant
  implements MadeFrom<Pick<GrantRecord, 'project' | 'role' | 'mayQueueCommands'>, ProjectGrant>
{
  @Field(() => String, { description: 'Name of the project.' })
  project!: string;

  @Field(() => TokenRole, { description: 'What may be done there; `ADMIN` also makes tokens and links for it.' })
  role!: keyof typeof TokenRole;

  @Field(() => Boolean, { description: 'Whether commands may be queued there.' })
  mayQueueCommands!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'A token as an admin sees it: never its text.' })
export class ApiToken implements MadeFrom<GrantedToken, ApiToken> {
  @Field(() => ID, { description: 'Identifies the token.' })
  id!: string;

  @Field(() => String, { description: 'Its name; of those that hold each has another.' })
  name!: string;

  @Field(() => TokenRole, { description: 'What its bearer may do.' })
  role!: keyof typeof TokenRole;

  @Field(() => Boolean, {
    description: 'Whether its holder may queue commands; `warren token create` alone gives that.',
  })
  mayQueueCommands!: boolean;

  @Field(() => Boolean, {
    description: 'Whether its holder may pause the queue and drain workers without being an admin.',
  })
  mayManageQueue!: boolean;

  @Field(() => Boolean, { description: 'Whether it works in the projects of its grants alone.' })
  namedProjects!: boolean;

  @Field(() => Boolean, {
    description: 'Whether a person made it for themselves: it then allows no more than that person may at the time.',
  })
  isOwn!: boolean;

  @Field(() => [ProjectGrant], {
    description: 'What it may do in which projects; empty where its role holds in all.',
  })
  grants!: ProjectGrant[];

  @Field(() => String, {
    description: 'Address of the person, or name of the token, that made it; empty where an older Warren did.',
  })
  madeBy!: string;

  @Field(() => dateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it was last used, to the minute; null: never.' })
  lastUsedAt!: Date | null;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'From when on it is void; null: it holds until revoked.',
  })
  expiresAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When an admin made it void; null: not revoked.' })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A token that was just made.' })
export class IssuedToken {
  @Field(() => String, { description: 'The text to send as bearer. Shown this once, and kept nowhere.' })
  token!: string;

  @Field(() => ApiToken, { description: 'What is kept of it.' })
  record!: ApiToken;
}
