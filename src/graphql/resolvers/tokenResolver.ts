import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { WarrenError } from '#src/contracts/errors.ts';
import { issueToken, listTokens, revokeToken } from '#src/services/tokens/apiTokens.ts';
import type { TokenRecord } from '#src/store/records/tokenRecord.ts';
import { type GraphqlContext, mayDo } from '../context.ts';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { ApiToken, IssuedToken } from '../types/apiToken.ts';
import { TokenRole } from '../types/enums.ts';

function requireAdmin({ role }: GraphqlContext): void {
  if (mayDo(role, 'ADMIN')) return;
  throw new WarrenError('FORBIDDEN', `tokens are for a caller with role ADMIN; this one has ${role}`);
}

/** Tokens, for admins alone. */
@Resolver()
export class TokenResolver {
  @Query(() => [ApiToken], { description: 'For admins: all tokens, the newest first, revoked ones too.' })
  async tokens(@Ctx() context: GraphqlContext): Promise<TokenRecord[]> {
    requireAdmin(context);
    return await listTokens(context.services);
  }

  @Mutation(() => IssuedToken, { description: 'For admins: makes a token; without expiresAt it holds until revoked.' })
  async issueToken(
    @Arg('name', () => String, { description: 'Its name; no other token that holds has it.' }) name: string,
    @Arg('role', () => TokenRole, { description: 'What its bearer may do.' }) role: keyof typeof TokenRole,
    @Arg('expiresAt', () => dateTimeScalar, { nullable: true, description: 'From when on it is void; null: never.' })
    expiresAt: Date | null | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<IssuedToken> {
    requireAdmin(context);
    return await issueToken(context.services, { name, role, expiresAt });
  }

  @Mutation(() => ApiToken, { description: 'For admins: makes a token void, within seconds.' })
  async revokeToken(
    @Arg('name', () => String, { description: 'Its name.' }) name: string,
    @Ctx() context: GraphqlContext,
  ): Promise<TokenRecord> {
    requireAdmin(context);
    return await revokeToken(context.services, name);
  }
}
