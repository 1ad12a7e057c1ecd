import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { ReportRecord, ReportVersionRecord } from '#src/store/writing/reportRecord.ts';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import type { MadeFrom } from './madeFrom.ts';

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
