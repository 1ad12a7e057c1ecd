import { Arg, Ctx, Float, Int, Mutation, Query, Resolver, Field, ObjectType } from 'type-graphql';
import { WarrenError } from '#src/base/contracts/errors.ts';
import {
  listProjectStorage,
  type ProjectStorage as ProjectStorageRecord,
} from '#src/artifacts/store/projectStorage.ts';
import { changeProjectQuota } from '#src/artifacts/projectQuota.ts';
import { removeCheckpoints } from '#src/artifacts/removeCheckpoints.ts';
import { collectArtifacts } from '#src/artifacts/collectArtifacts.ts';
import { removeOldLogs, type RemovedLogs as RemovedLogsRecord } from '#src/logs/removeOldLogs.ts';
import { thinPoints, type ThinnedPoints as ThinnedPointsRecord } from '#src/metrics/thinPoints.ts';
import { emptyTrash, type EmptiedTrash as EmptiedTrashRecord } from '#src/runs/emptyTrash.ts';
import type { StorageOverview } from '#src/artifacts/storageOverview.ts';
import { type CallerRole, type GraphqlContext, mayDo, requireEverything } from '#src/base/graphql/context.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import type { CheckpointTotals } from '#src/artifacts/store/oldCheckpoints.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'Disk use of the artifact store; bytes as whole numbers.' })
class Storage implements MadeFrom<StorageOverview, Storage> {
  @Field(() => Int, { description: 'Files in the store.' })
  files!: number;

  @Field(() => Float, { description: 'Of all files: stored, on their way in, and set aside as damaged.' })
  bytes!: number;

  @Field(() => Int, { description: 'Files that artifacts refer to.' })
  referencedFiles!: number;

  @Field(() => Float, { description: 'Of what artifacts refer to, the same content once.' })
  referencedBytes!: number;

  @Field(() => Int, { description: 'Files that were found damaged and set aside.' })
  damagedFiles!: number;

  @Field(() => Float, { nullable: true, description: 'What the volume of the store still takes; null for a bucket.' })
  freeBytes!: number | null;

  @Field(() => Float, { nullable: true, description: 'Size of the volume of the store; null for a bucket.' })
  volumeBytes!: number | null;

  @Field(() => String, {
    description: 'Where artifacts are: `folder`, or the address of a bucket such as `s3://bucket/prefix`.',
  })
  place!: string;

  @Field(() => Int, { description: 'Runs in the trash.' })
  trashRuns!: number;

  @Field(() => Float, { description: 'What deleting them for good would free.' })
  trashBytes!: number;

  @Field(() => String, { nullable: true, description: 'Why nothing is removed from the store; null when all is well.' })
  problem!: string | null;

  @Field(() => dateTimeScalar, { description: 'When this was measured.' })
  measuredAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What the artifacts of a project take, equal files once, with those of its runs in the trash; bytes as whole numbers.',
})
class ProjectStorage implements MadeFrom<ProjectStorageRecord, ProjectStorage> {
  @Field(() => String, { description: 'Name of the project.' })
  name!: string;

  @Field(() => Int, { description: 'Files of its runs.' })
  files!: number;

  @Field(() => Float, { description: 'Bytes of these files.' })
  bytes!: number;

  @Field(() => Float, { description: 'Bytes that only its runs in the trash have.' })
  trashBytes!: number;

  @Field(() => Float, {
    nullable: true,
    description: 'What they may take: uploads beyond are refused; null: no limit.',
  })
  quotaBytes!: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'Checkpoints that were removed, or would be.' })
class RemovedCheckpoints implements MadeFrom<CheckpointTotals, RemovedCheckpoints> {
  @Field(() => Int, { description: 'Runs that had them.' })
  runs!: number;

  @Field(() => Int, { description: 'Checkpoints.' })
  files!: number;

  @Field(() => Float, { description: 'Bytes of those that nothing else refers to, a whole number.' })
  bytes!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What was removed of logs, or would be.' })
class RemovedLogs implements MadeFrom<RemovedLogsRecord, RemovedLogs> {
  @Field(() => Int, { description: 'Runs of whose logs it is.' })
  runs!: number;

  @Field(() => Float, { description: 'Lines.' })
  lines!: number;

  @Field(() => Float, { description: 'Bytes of the texts of these lines.' })
  bytes!: number;

  @Field(() => Boolean, { description: 'Whether there is more for another call.' })
  more!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'What was removed of curves, or would be.' })
class ThinnedPoints implements MadeFrom<ThinnedPointsRecord, ThinnedPoints> {
  @Field(() => Int, { description: 'Runs of whose metrics it is.' })
  runs!: number;

  @Field(() => Int, { description: 'Curves: a metric of a run each.' })
  series!: number;

  @Field(() => Float, { description: 'Points that went; of a dry run, at least so many.' })
  points!: number;

  @Field(() => Boolean, { description: 'Whether there is more for another call.' })
  more!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'A run that stays in the trash because others need what it left.' })
class KeptRun {
  @Field(() => Int, { description: 'Number of the run.' })
  number!: number;

  @Field(() => String, { description: 'Name of the run.' })
  name!: string;

  @Field(() => [Int], { description: 'Numbers of the runs that use it as an input.' })
  usedBy!: number[];

  @Field(() => [String], { description: 'Versions that were registered from it, such as `ranker:3`.' })
  registeredAs!: string[];
}

@ObjectType({ simpleResolvers: true, description: 'What was deleted for good, or would be.' })
class EmptiedTrash implements MadeFrom<EmptiedTrashRecord, EmptiedTrash> {
  @Field(() => Int, { description: 'Runs that were deleted.' })
  runs!: number;

  @Field(() => Int, { description: 'Files that nothing else refers to, and that went with them.' })
  files!: number;

  @Field(() => Float, { description: 'Bytes of these files, a whole number.' })
  bytes!: number;

  @Field(() => [KeptRun], { description: 'Runs that stay, because others need them.' })
  kept!: KeptRun[];

  @Field(() => Int, { description: 'Runs that are left for another call.' })
  remaining!: number;

  @Field(() => Int, { description: 'Reports that were deleted.' })
  reports!: number;

  @Field(() => Int, { description: 'Projects that were deleted: those in the trash whose runs are gone.' })
  projects!: number;
}

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
