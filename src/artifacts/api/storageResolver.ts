import { Arg, Ctx, Float, Int, Mutation, Query, Resolver } from 'type-graphql';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { listProjectStorage } from '#src/artifacts/store/projectStorage.ts';
import { changeProjectQuota } from '#src/artifacts/projectQuota.ts';
import { removeCheckpoints } from '#src/artifacts/removeCheckpoints.ts';
import { collectArtifacts } from '#src/artifacts/collectArtifacts.ts';
import { removeOldLogs } from '#src/logs/removeOldLogs.ts';
import { thinPoints } from '#src/metrics/thinPoints.ts';
import { emptyTrash } from '#src/runs/emptyTrash.ts';
import type { StorageOverview } from '#src/artifacts/storageOverview.ts';
import { type CallerRole, type GraphqlContext, mayDo, requireEverything } from '#src/base/graphql/context.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { EmptiedTrash, ProjectStorage, RemovedCheckpoints, RemovedLogs, Storage, ThinnedPoints } from './storage.ts';

function requireAdmin(role: CallerRole, what: string): void {
  if (mayDo(role, 'ADMIN')) return;
  throw new WarrenError('FORBIDDEN', `${what} needs a token with role ADMIN; this one has ${role}`);
}

@Resolver()
export class StorageResolver {
  @Query(() => Storage, { description: 'Disk use, at most some seconds old.' })
  async storage(@Ctx() { storage, reads }: GraphqlContext): Promise<StorageOverview> {
    requireEverything({ reads }, 'disk use');
    return await storage();
  }

  @Query(() => [ProjectStorage], { description: 'What the artifacts of each project take, the largest first.' })
  async projectStorage(
    @Arg('first', () => Int, { defaultValue: 50, description: 'Projects at most, 1 to 500.' }) first: number,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ProjectStorage[]> {
    return await listProjectStorage(services.db, { limit: Math.max(1, pageSize(first)) });
  }

  @Mutation(() => ProjectStorage, {
    description: 'For admins: sets how many bytes the artifacts of a project may take. What is there stays.',
  })
  async setProjectQuota(
    @Arg('project', () => String, { description: 'Its name.' }) project: string,
    @Arg('bytes', () => Float, { nullable: true, description: 'A whole number of bytes; null: no limit.' })
    bytes: number | null | undefined,
    @Ctx() { services, role, writes }: GraphqlContext,
  ): Promise<ProjectStorage> {
    requireAdmin(role, 'setting a quota');
    requireEverything({ reads: writes }, 'a quota');
    return await changeProjectQuota(services, { project, bytes: bytes ?? null });
  }

  @Mutation(() => RemovedCheckpoints, {
    description:
      'For admins: removes checkpoints of runs that ended at least so many days ago; these can no more go on from there. Those that others use as inputs and registered files are kept.',
  })
  async removeCheckpoints(
    @Arg('olderThanDays', () => Float, { description: 'Days since the end of the run, fractions too.' })
    olderThanDays: number,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Only tell what would be done.' })
    dryRun: boolean,
    @Ctx() { services, role, writes }: GraphqlContext,
  ): Promise<RemovedCheckpoints> {
    requireAdmin(role, 'removing checkpoints');
    requireEverything({ reads: writes }, 'a rule for checkpoints');
    return await removeCheckpoints(services, { olderThanDays, dryRun });
  }

  @Mutation(() => RemovedLogs, {
    description:
      'For admins: removes the logs of runs that ended at least so many days ago, but for the last 100 lines of each attempt. Some seconds at a time: call it again while there is more.',
  })
  async removeOldLogs(
    @Arg('olderThanDays', () => Float, { description: 'Days since the end of the run, fractions too.' })
    olderThanDays: number,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Only tell what would be done.' })
    dryRun: boolean,
    @Ctx() { services, role, writes }: GraphqlContext,
  ): Promise<RemovedLogs> {
    requireAdmin(role, 'removing logs');
    requireEverything({ reads: writes }, 'a rule for logs');
    return await removeOldLogs(services, { olderThanDays, dryRun });
  }

  @Mutation(() => ThinnedPoints, {
    description:
      'For admins: thins the curves of runs that ended at least so many days ago. Last values and extremes stay; metrics that are the x axis of others, or are summarized by their mean, stay whole. Some seconds at a time: call it again while there is more.',
  })
  async thinPoints(
    @Arg('olderThanDays', () => Float, { description: 'Days since the end of the run, fractions too.' })
    olderThanDays: number,
    @Arg('keep', () => Int, { defaultValue: 500, description: 'Points of a metric that stay at most, 10 to 10,000.' })
    keep: number,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Only tell what would be done.' })
    dryRun: boolean,
    @Ctx() { services, role, writes }: GraphqlContext,
  ): Promise<ThinnedPoints> {
    requireAdmin(role, 'thinning curves');
    requireEverything({ reads: writes }, 'a rule for points');
    return await thinPoints(services, { olderThanDays, keep, dryRun });
  }

  @Mutation(() => EmptiedTrash, {
    description:
      'For admins: deletes runs for good that have been in the trash for at least so many days, with all they recorded, then reports and projects. Runs that others use as inputs are kept.',
  })
  async emptyTrash(
    @Arg('olderThanDays', () => Float, { description: 'Days, fractions too; 0: all that is in the trash.' })
    olderThanDays: number,
    @Arg('dryRun', () => Boolean, { defaultValue: false, description: 'Only tell what would be done.' })
    dryRun: boolean,
    @Ctx() { services, artifacts, role }: GraphqlContext,
  ): Promise<EmptiedTrash> {
    requireAdmin(role, 'deleting for good');
    const emptied = await emptyTrash(services, { olderThanDays, dryRun });
    if (!dryRun) await collectArtifacts(services, artifacts);
    return emptied;
  }
}
