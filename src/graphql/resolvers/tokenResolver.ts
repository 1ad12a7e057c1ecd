import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { WarrenError } from '#src/contracts/errors.ts';
import type { DataScope } from '#src/platform/postgres/scopedDatabase.ts';
import { isSomewhere } from '#src/services/access/callerAccess.ts';
import { type GrantedToken, issueToken, listTokens, revokeToken } from '#src/services/tokens/apiTokens.ts';
import { type GraphqlContext, mayDo } from '../context.ts';
import { ProjectGrantInput } from '../inputs/projectGrantInput.ts';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { ApiToken, IssuedToken } from '../types/apiToken.ts';
import { TokenRole } from '../types/enums.ts';

/** Where the caller administers. @throws WarrenError FORBIDDEN for who does so nowhere. */
export function requireAdmin({ role, administers }: GraphqlContext, what: string): DataScope | null {
  if (mayDo(role, 'ADMIN')) return null;
  if (administers !== null && isSomewhere(administers)) return administers;
  throw new WarrenError('FORBIDDEN', `${what} are for a caller with role ADMIN; this one has ${role}`);
}

/** Tokens, for admins alone: of the server, or of the projects that they administer. */
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
}
