import { Arg, Ctx, Float, Mutation, Query, Resolver } from 'type-graphql';
import { WarrenError } from '#src/contracts/errors.ts';
import { collectArtifacts } from '#src/services/artifacts/collectArtifacts.ts';
import { emptyTrash } from '#src/services/runs/emptyTrash.ts';
import type { StorageOverview } from '#src/services/artifacts/storageOverview.ts';
import { type GraphqlContext, mayDo } from '../context.ts';
import { EmptiedTrash, Storage } from '../types/storage.ts';

@Resolver()
export class StorageResolver {
  @Query(() => Storage, { description: 'Disk use, at most some seconds old.' })
  async storage(@Ctx() { storage }: GraphqlContext): Promise<StorageOverview> {
    return await storage();
  }

  @Mutation(() => EmptiedTrash, {
    description:
      'For admins: deletes runs for good that have been in the trash for at least so many days, with all they recorded. Runs that others use as inputs are kept.',
  })
  async emptyTrash(
    @Arg('olderThanDays', () => Float, { description: 'Days, fractions too; 0: all that is in the trash.' })
    olderThanDays: number,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Only tell what would be done.' })
    dryRun: boolean,
    @Ctx() { services, artifacts, role }: GraphqlContext,
  ): Promise<EmptiedTrash> {
    if (!mayDo(role, 'ADMIN')) {
      throw new WarrenError('FORBIDDEN', `deleting for good needs a token with role ADMIN; this one has ${role}`);
    }
    const emptied = await emptyTrash(services, { olderThanDays, dryRun });
    if (!dryRun) await collectArtifacts(services, artifacts);
    return emptied;
  }
}
