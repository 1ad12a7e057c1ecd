import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { DataScope } from '#src/base/platform/postgres/scopedDatabase.ts';
import { isSomewhere } from '#src/people/callerAccess.ts';
import { type GrantedToken, issueToken, listTokens, revokeToken } from '#src/people/apiTokens.ts';
import { issueOwnToken, listOwnTokens, requirePerson, revokeOwnToken } from '#src/people/ownTokens.ts';
import { type GraphqlContext, mayDo } from '#src/base/graphql/context.ts';
import { ProjectGrantInput } from './projectGrantInput.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { ApiToken, IssuedToken } from './apiToken.ts';
import { TokenRole } from '#src/base/graphql/enums.ts';

/** Where the caller administers. @throws WarrenError FORBIDDEN for who does so nowhere. */
export function requireAdmin({ role, administers }: GraphqlContext, what: string): DataScope | null {
  if (mayDo(role, 'ADMIN')) return null;
  if (administers !== null && isSomewhere(administers)) return administers;
  throw new WarrenError('FORBIDDEN', `${what} are for a caller with role ADMIN; this one has ${role}`);
}

/** Tokens: for admins those of the server, or of the projects that they administer; for people their own. */
@Resolver()
export class TokenResolver {
  @Query(() => [ApiToken], {
    description:
      'For admins: all tokens, the newest first, revoked ones too. Who administers some projects sees those that work in these alone.',
  })
  async tokens(@Ctx() context: GraphqlContext): Promise<GrantedToken[]> {
    return await listTokens(context.allServices, requireAdmin(context, 'tokens'));
  }

  @Mutation(() => IssuedToken, { description: 'For admins: makes a token; without expiresAt it holds until revoked.' })
  async issueToken(
    @Arg('name', () => String, { description: 'Its name; no other token that holds has it.' }) name: string,
    @Arg('role', () => TokenRole, { description: 'What its bearer may do, where grants do not say.' })
    role: keyof typeof TokenRole,
    @Arg('expiresAt', () => dateTimeScalar, { nullable: true, description: 'From when on it is void; null: never.' })
    expiresAt: Date | null | undefined,
    @Arg('grants', () => [ProjectGrantInput], {
      nullable: true,
      description: 'The projects in which alone it works; null: its role holds in all.',
    })
    grants: ProjectGrantInput[] | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<IssuedToken> {
    const by = requireAdmin(context, 'tokens');
    return await issueToken(context.allServices, { name, role, expiresAt, grants, maker: context.actor }, by);
  }

  @Mutation(() => ApiToken, { description: 'For admins: makes a token void, within seconds.' })
  async revokeToken(
    @Arg('name', () => String, { description: 'Its name.' }) name: string,
    @Ctx() context: GraphqlContext,
  ): Promise<GrantedToken> {
    return await revokeToken(context.allServices, name, requireAdmin(context, 'tokens'));
  }

  @Query(() => [ApiToken], {
    description: 'Tokens that the person who is signed in has made for themselves, the newest first, revoked ones too.',
  })
  async ownTokens(@Ctx() context: GraphqlContext): Promise<GrantedToken[]> {
    return await listOwnTokens(context.allServices, requirePerson(context.actor));
  }

  @Mutation(() => IssuedToken, {
    description:
      'For everybody who is signed in: makes a token for oneself, which allows what one may do at the time, and never more.',
  })
  async issueOwnToken(
    @Arg('name', () => String, { description: 'Its name; the person’s address is put before it.' }) name: string,
    @Arg('role', () => TokenRole, { description: 'The most that it allows: READ or WRITE.' })
    role: keyof typeof TokenRole,
    @Arg('expiresAt', () => dateTimeScalar, { description: 'From when on it is void, within 366 days.' })
    expiresAt: Date,
    @Arg('projects', () => [String], {
      nullable: true,
      description: 'Names of the projects in which alone it works; null: wherever the person may.',
    })
    projects: string[] | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<IssuedToken> {
    const person = requirePerson(context.actor);
    return await issueOwnToken(context.allServices, { name, role, projects, expiresAt }, { person, may: context });
  }

  @Mutation(() => ApiToken, { description: 'Makes a token void, within seconds, that one has made for oneself.' })
  async revokeOwnToken(
    @Arg('name', () => String, { description: 'Its name, with the address.' }) name: string,
    @Ctx() context: GraphqlContext,
  ): Promise<GrantedToken> {
    return await revokeOwnToken(context.allServices, name, requirePerson(context.actor));
  }
}
