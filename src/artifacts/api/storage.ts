import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { StorageOverview } from '#src/artifacts/storageOverview.ts';
import type { RemovedLogs as RemovedLogsRecord } from '#src/logs/removeOldLogs.ts';
import type { ThinnedPoints as ThinnedPointsRecord } from '#src/metrics/thinPoints.ts';
import type { EmptiedTrash as EmptiedTrashRecord } from '#src/runs/emptyTrash.ts';
import type { CheckpointTotals } from '#src/artifacts/store/oldCheckpoints.ts';
import type { ProjectStorage as ProjectStorageRecord } from '#src/artifacts/store/projectStorage.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'Disk use of the artifact store; bytes as whole numbers.' })
export class Storage implements MadeFrom<StorageOverview, Storage> {
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
export class ProjectStorage implements MadeFrom<ProjectStorageRecord, ProjectStorage> {
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
export class RemovedCheckpoints implements MadeFrom<CheckpointTotals, RemovedCheckpoints> {
  @Field(() => Int, { description: 'Runs that had them.' })
  runs!: number;

  @Field(() => Int, { description: 'Checkpoints.' })
  files!: number;

  @Field(() => Float, { description: 'Bytes of those that nothing else refers to, a whole number.' })
  bytes!: number;
}

@ObjectType({ simpleResolvers: true, description: 'What was removed of logs, or would be.' })
export class RemovedLogs implements MadeFrom<RemovedLogsRecord, RemovedLogs> {
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
export class ThinnedPoints implements MadeFrom<ThinnedPointsRecord, ThinnedPoints> {
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
export class KeptRun {
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
export class EmptiedTrash implements MadeFrom<EmptiedTrashRecord, EmptiedTrash> {
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
