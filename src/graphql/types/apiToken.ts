import { Field, ID, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { TokenRole } from './enums.ts';

@ObjectType({ simpleResolvers: true, description: 'A token as an admin sees it: never its text.' })
export class ApiToken {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => TokenRole)
  role!: keyof typeof TokenRole;

  @Field(() => Boolean, {
    description: 'Whether its holder may queue commands; `warren token create` alone gives that.',
  })
  mayQueueCommands!: boolean;

  @Field(() => dateTimeScalar)
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true })
  lastUsedAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true })
  expiresAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class IssuedToken {
  @Field(() => String, { description: 'Shown this once, and kept nowhere.' })
  token!: string;

  @Field(() => ApiToken)
  record!: ApiToken;
}
