import { Ctx, Query, Resolver } from 'type-graphql';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { type GraphqlContext, mayDo } from '#src/base/graphql/context.ts';
import { Administration } from './administration.ts';

/** How the server is, for admins alone. */
@Resolver()
export class AdministrationResolver {
  @Query(() => Administration, { description: 'For admins: version, health, sizes and slow work of the server.' })
  async administration(@Ctx() { role, version, overview, slowWork }: GraphqlContext): Promise<Administration> {
    if (!mayDo(role, 'ADMIN')) {
      throw new WarrenError('FORBIDDEN', `administration is for a caller with role ADMIN; this one has ${role}`);
    }
    return {
      ...(await overview()),
      version,
      slowWork: slowWork(),
      startedAt: new Date(performance.timeOrigin),
      memoryBytes: process.memoryUsage.rss(),
    };
  }
}
