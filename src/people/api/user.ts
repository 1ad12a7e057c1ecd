import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { GrantedUser } from '#src/people/users.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { TokenRole } from '#src/base/graphql/enums.ts';
import type { GrantRecord } from '#src/people/store/accessGrant.ts';
import { ProjectGrant } from './apiToken.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'What a user may do in one project, and why.' })
export class UserGrant extends ProjectGrant implements MadeFrom<GrantRecord, UserGrant> {
  @Field(() => Boolean, {
    description: 'Whether a group gives it, until the next sign-in says otherwise; false: an admin has given it.',
  })
  byGroup!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Somebody who has signed in.' })
export class User implements MadeFrom<GrantedUser, User> {
  @Field(() => ID, { description: 'Identifies the user.' })
  id!: string;

  @Field(() => String, { description: 'The provider that knows the person.' })
  issuer!: string;

  @Field(() => String, { description: "The provider's id of the person, which never changes." })
  subject!: string;

  @Field(() => String, { description: 'By what the person is called: the address where it is verified.' })
  label!: string;

  @Field(() => String, { description: "The person's e-mail address; empty where the provider gives none." })
  email!: string;

  @Field(() => Boolean, {
    description:
      'Whether the provider has made sure that the address is the person’s. Only then does it name the person.',
  })
  emailVerified!: boolean;

  @Field(() => String, { description: "The person's name; empty where the provider gives none." })
  name!: string;

  @Field(() => TokenRole, {
    nullable: true,
    description: 'What the person may do in all projects, by groups at the last sign-in; null where only grants say.',
  })
  role!: keyof typeof TokenRole | null;

  @Field(() => Boolean, {
    description: 'Whether the person may queue commands in all projects, where the role is WRITE.',
  })
  mayQueueCommands!: boolean;

  @Field(() => [UserGrant], { description: 'What the person may do in some projects, by groups or by an admin.' })
  grants!: UserGrant[];

  @Field(() => dateTimeScalar, { description: 'When the person signed in first.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When the person signed in last.' })
  signedInAt!: Date | null;

  @Field(() => dateTimeScalar, { nullable: true, description: "When the person's last request came, to the minute." })
  seenAt!: Date | null;

  @Field(() => [String], {
    description: 'Names of tokens in force that the person has made, and that these have made; all end with disabling.',
  })
  tokens!: string[];

  @Field(() => Int, { description: 'Links in force that the person and these tokens have made.' })
  links!: number;

  @Field(() => dateTimeScalar, {
    nullable: true,
    description: 'When an admin shut the person out; null: not disabled.',
  })
  disabledAt!: Date | null;
}
