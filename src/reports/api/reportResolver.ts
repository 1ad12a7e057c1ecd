import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Field,
  InputType,
  ObjectType,
} from 'type-graphql';
import { LONGEST_REPORT } from '#src/base/contracts/report/readReport.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import type { ReportPin as PinRecord } from '#src/base/contracts/report/pinnedBlock.ts';
import { reportPins } from '#src/reports/reportPins.ts';
import { reportMarkdown } from '#src/reports/reportMarkdown.ts';
import {
  deleteReport,
  listReports,
  reportText,
  reportVersions,
  requireReport,
  restoreReport,
  saveReport,
} from '#src/reports/reports.ts';
import type { ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { ReportRecord, ReportVersionRecord } from '#src/reports/store/reportRecord.ts';
import { type GraphqlContext, readServices } from '#src/base/graphql/context.ts';
import { Project } from '#src/projects/api/project.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'A report as it was saved.' })
class ReportVersion implements MadeFrom<ReportVersionRecord, ReportVersion> {
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
class ReportPin implements MadeFrom<PinRecord, ReportPin> {
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
class Report implements MadeFrom<ReportRecord, Report> {
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

@InputType({ description: 'A report to make, or a new version of one.' })
class SaveReportInput {
  @Field(() => ID, { nullable: true, description: 'Id or number of a report to change; null: a new one is made.' })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the project of a new report; it is made when there is none.',
  })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Its title; null: it keeps the one that it has.' })
  title?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'All of its text in Markdown, 100,000 characters at most; null: it stays.',
  })
  text?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Of a report that is there: the version that was edited. Saving is refused where there is a newer one.',
  })
  basedOn?: number | null;
}

/** All its blocks are asked for. */
const MARKDOWN_COST = 2_000;
const TEXT_COST = 20;
const VERSIONS_COST = 50;
const PINS_COST = 50;
/** Of a number of a run in an answer. */
const NUMBER_BYTES = 8;

@Resolver(() => Report)
export class ReportResolver {
  @Query(() => [Report], { description: 'Reports, what was saved last first; 500 at most.' })
  async reports(
    @Arg('project', () => String, { nullable: true, description: 'Name of the project; null: of all.' }) project:
      | string
      | null
      | undefined,
    @Arg('inTrash', () => Boolean, { defaultValue: false, description: 'Those in the trash instead.' })
    inTrash: boolean,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ReportRecord[]> {
    return await listReports(services, { project, inTrash });
  }

  @Query(() => Report, { description: 'The report of this id or number, in the trash or not.' })
  async report(
    @Arg('id', () => ID, { description: 'Id or number of the report.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ReportRecord> {
    return await requireReport(services.db, id);
  }

  @Mutation(() => Report, {
    description: 'Makes a report, or a new version of one that is there; what is as in the newest version makes none.',
  })
  async saveReport(
    @Arg('input', () => SaveReportInput, { description: 'The report.' }) input: SaveReportInput,
    @Ctx() context: GraphqlContext,
  ): Promise<ReportRecord> {
    const { services, actor } = context;
    const savedBy = actor.name || actor.kind;
    return await saveReport(services, input, { savedBy, seen: readServices(context) });
  }

  @Mutation(() => Report, { description: 'Moves a report into the trash; its runs stay.' })
  async deleteReport(
    @Arg('id', () => ID, { description: 'Id or number of the report.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ReportRecord> {
    return await deleteReport(services, id);
  }

  @Mutation(() => Report, { description: 'Takes a report out of the trash.' })
  async restoreReport(
    @Arg('id', () => ID, { description: 'Id or number of the report.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<ReportRecord> {
    return await restoreReport(services, id);
  }

  @FieldResolver(() => Project, { description: 'Whose runs it is about.' })
  async project(@Root() report: ReportRecord, @Ctx() { loaders }: GraphqlContext): Promise<ProjectRecord> {
    const project = await loaders.project.load(report.projectId);
    invariant(project !== null, `report ${report.number} has no project`);
    return project;
  }

  @FieldResolver(() => [ReportVersion], {
    description: 'All its versions, the newest first.',
    complexity: ({ childComplexity }) => VERSIONS_COST + childComplexity,
  })
  async versions(@Root() report: ReportRecord, @Ctx() { services }: GraphqlContext): Promise<ReportVersionRecord[]> {
    return await reportVersions(services, report.id);
  }

  @FieldResolver(() => String, { description: 'The Markdown of a version, as it was written.', complexity: TEXT_COST })
  async text(
    @Root() report: ReportRecord,
    @Arg('version', () => Int, { nullable: true, description: 'Which; null: the newest.' }) version:
      | number
      | null
      | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<string> {
    return await loaders.budget.read(async () => {
      const { text } = await reportText(services, report, version ?? null);
      return { result: text, bytes: Math.min(text.length, LONGEST_REPORT) };
    });
  }

  @FieldResolver(() => [ReportPin], {
    description:
      'The runs that the blocks of a version showed when it was saved; a block of which nothing was kept is left out.',
    complexity: ({ childComplexity }) => PINS_COST + childComplexity,
  })
  async pins(
    @Root() report: ReportRecord,
    @Arg('version', () => Int, { nullable: true, description: 'Which; null: the newest.' }) version:
      | number
      | null
      | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<PinRecord[]> {
    return await loaders.budget.read(async () => {
      const pins = await reportPins(services, { reportId: report.id, version: version ?? report.version });
      const count = pins.reduce((sum, { runs, missing }) => sum + runs.length + missing.length, 0);
      return { result: pins, bytes: count * NUMBER_BYTES };
    });
  }

  @FieldResolver(() => String, {
    description:
      'A version as Markdown that needs no Warren: tables instead of blocks. An older version shows the runs of when it was saved.',
    complexity: MARKDOWN_COST,
  })
  async markdown(
    @Root() report: ReportRecord,
    @Arg('version', () => Int, { nullable: true, description: 'Which; null: the newest.' }) version:
      | number
      | null
      | undefined,
    @Arg('today', () => Boolean, { defaultValue: false, description: "Show today's runs, also of an older version." })
    today: boolean,
    @Ctx() { services, artifacts, loaders, signal }: GraphqlContext,
  ): Promise<string> {
    return await loaders.budget.read(async () => {
      const project = await loaders.project.load(report.projectId);
      const found = await reportText(services, report, version ?? null);
      const old = { reportId: report.id, version: found.version };
      const pins = today || found.version === report.version ? [] : await reportPins(services, old);
      const context = { db: services.db, artifacts, signal };
      const named = { number: report.number, project: project?.name ?? '' };
      const text = await reportMarkdown(context, named, { ...found, pins: pins.length === 0 ? null : pins });
      return { result: text, bytes: text.length };
    });
  }
}
