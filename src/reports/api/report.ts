import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ReportPin as PinRecord } from '#src/base/contracts/report/pinnedBlock.ts';
import type { ReportRecord, ReportVersionRecord } from '#src/reports/store/reportRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'A report as it was saved.' })
export class ReportVersion implements MadeFrom<ReportVersionRecord, ReportVersion> {
  @Field(() => Int, { description: 'Counts the versions of a report from 1.' })
  version!: number;

  @Field(() => String, { description: 'Its title.' })
  title!: string;

  @Field(() => String, { description: 'Who saved it.' })
  savedBy!: string;

  @Field(() => dateTimeScalar, { description: 'When it was saved.' })
  savedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The runs that a block of a report showed when a version was saved.',
})
export class ReportPin implements MadeFrom<PinRecord, ReportPin> {
  @Field(() => Int, { description: 'The place of the block among those of the report, from 0.' })
  block!: number;

  @Field(() => [Int], { description: 'Numbers of the runs that are still there.' })
  runs!: readonly number[];

  @Field(() => [Int], { description: 'Numbers of those that are not: deleted, or where the caller does not look.' })
  missing!: readonly number[];

  @Field(() => Int, { description: 'How many are not there, also those without a number on this server.' })
  missingCount!: number;

  @Field(() => Int, { description: 'How many runs there were, also those that the block left out.' })
  matched!: number;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A text about runs of a project, with figures, tables and citations that are drawn from what Warren knows.',
})
export class Report implements MadeFrom<ReportRecord, Report> {
  @Field(() => ID, { description: 'Never changes; also its number names it.' })
  id!: string;

  @Field(() => Int, { description: 'Counts reports in the order of creation.' })
  number!: number;

  @Field(() => String, { description: 'The title of the newest version.' })
  title!: string;

  @Field(() => Int, { description: 'The newest version.' })
  version!: number;

  @Field(() => String, { description: 'Who saved the newest version.' })
  savedBy!: string;

  @Field(() => dateTimeScalar, { description: 'When the newest version was saved.' })
  savedAt!: Date;

  @Field(() => String, { description: 'Who saved the first version.' })
  createdBy!: string;

  @Field(() => dateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { nullable: true, description: 'When it went into the trash; null: it is not there.' })
  deletedAt!: Date | null;
}
