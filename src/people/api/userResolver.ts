import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
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
import { User } from './user.ts';

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
