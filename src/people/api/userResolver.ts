import { Arg, Ctx, Mutation, Query, Resolver, Field, ID, Int, ObjectType } from 'type-graphql';
import { WarrenError } from '#src/base/contracts/errors.ts';
import {
  disableUser,
  type Ended,
  enableUser,
  type GrantedUser,
  grantUser,
  listGrantedUsers,
} from '#src/people/users.ts';
import { type GraphqlContext, mayDo } from '#src/base/graphql/context.ts';
import { UserGrantInput } from './projectGrantInput.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { TokenRole } from '#src/base/graphql/enums.ts';
import type { GrantRecord } from '#src/people/store/accessGrant.ts';
import { ProjectGrant } from './apiToken.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'What a user may do in one project, and why.' })
class UserGrant extends ProjectGrant implements MadeFrom<GrantRecord, UserGrant> {
  @Field(() => Boolean, {
    description: 'Whether a group gives it, until the next sign-in says otherwise; false: an admin has given it.',
  })
  byGroup!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Somebody who has signed in.' })
class User implements MadeFrom<GrantedUser, User> {
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

/** @throws WarrenError FORBIDDEN: people belong to the whole server. */
function requireServerAdmin({ role, allServices }: GraphqlContext): GraphqlContext['allServices'] {
  if (mayDo(role, 'ADMIN')) return allServices;
  throw new WarrenError('FORBIDDEN', `users are for a caller with role ADMIN in all projects; this one has ${role}`);
}

/** People who sign in, for admins of the whole server alone. */
@Resolver()
export class UserResolver {
  @Query(() => [User], { description: 'For admins: all who have signed in, by address.' })
  async users(@Ctx() context: GraphqlContext): Promise<GrantedUser[]> {
    return await listGrantedUsers(requireServerAdmin(context));
  }

  @Mutation(() => User, {
    description:
      'For admins: shuts somebody out at once, ends the sessions and voids tokens and links that the person has made; or lets the person in again.',
  })
  async disableUser(
    @Arg('user', () => String, { description: 'Address that the provider has verified, or id.' }) user: string,
    @Arg('disabled', () => Boolean, { defaultValue: true, description: 'False lets the person in again.' })
    disabled: boolean,
    @Arg('keepTokens', () => Boolean, {
      defaultValue: false,
      description: 'Whether tokens and links that the person has made go on.',
    })
    keepTokens: boolean,
    @Ctx() context: GraphqlContext,
  ): Promise<GrantedUser & { ended?: Ended }> {
    const services = requireServerAdmin(context);
    if (!disabled) return await enableUser(services, user);
    const by = context.actor.kind === 'user' ? (context.actor.id ?? null) : null;
    const { user: changed, ended } = await disableUser(services, user, { keepMade: keepTokens, by });
    return { ...changed, ended };
  }

  @Mutation(() => User, {
    description:
      'For admins: gives somebody rights in projects beside what groups give, or takes them away. Only who may queue commands gives that right.',
  })
  async grantUser(
    @Arg('user', () => String, { description: 'Address that the provider has verified, or id.' }) user: string,
    @Arg('grants', () => [UserGrantInput], { defaultValue: [], description: 'What the person may do from now on.' })
    grants: UserGrantInput[],
    @Arg('withdraw', () => [String], {
      defaultValue: [],
      description: 'Names of projects of which what an admin gave is taken away; what groups give stays.',
    })
    withdraw: string[],
    @Arg('mayQueueCommands', () => Boolean, {
      nullable: true,
      description: 'Whether commands may be queued wherever the role that groups give is WRITE; null: as it is.',
    })
    mayQueueCommands: boolean | null,
    @Ctx() context: GraphqlContext,
  ): Promise<GrantedUser> {
    const change = { grants, withdraw, mayQueueCommands: mayQueueCommands ?? undefined };
    return await grantUser(requireServerAdmin(context), user, change, context);
  }
}
