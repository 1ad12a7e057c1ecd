import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
  Field,
  Float,
  InputType,
  Int,
  ObjectType,
} from 'type-graphql';
import { type Paper, PAPERS } from '#src/catalog/published/papers.ts';
import { STUDIES, studyByName } from '#src/catalog/studies/studies.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { planStudy, reproduceStudy } from '#src/studies/reproduceStudy.ts';
import { rememberedReports } from '#src/studies/rememberedReports.ts';
import { exportStudies } from '#src/studies/exports/exportStudies.ts';
import type { Plan } from '#src/studies/verdicts/planRuns.ts';
import type { FigureReport, FigureSeriesReport, StudyReport } from '#src/studies/verdicts/studyReport.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { StudyBudget, Study, StudyFormat } from './study.ts';
import { Run } from '#src/runs/api/run.ts';
import { StudyFigure, type StudySeries } from './studyFigure.ts';

@ObjectType({ simpleResolvers: true, description: 'A run of an arm that was not queued.' })
class StudyArmLeft {
  @Field(() => String, { description: 'Name of the arm.' })
  arm!: string;

  @Field(() => Int, { nullable: true, description: 'Its seed; null where that does not matter.' })
  seed!: number | null;

  @Field(() => String, { description: 'Why.' })
  reason!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A run that would be queued.' })
class StudyRunPlanned {
  @Field(() => String, { description: 'Name of its arm.' })
  arm!: string;

  @Field(() => Int, { description: 'Its seed.' })
  seed!: number;

  @Field(() => StudyBudget, { description: 'Shortened, or at the settings of the paper.' })
  budget!: keyof typeof StudyBudget;

  @Field(() => Float, { description: 'Minutes of computing that it takes, as estimated.' })
  minutes!: number;

  @Field(() => Int, { nullable: true, description: 'Number of the run that it computes again; null for others.' })
  auditOf!: number | null;
}

/** What a plan and its execution have in common. */
@ObjectType({ simpleResolvers: true })
abstract class StudyPlanParts {
  @Field(() => Float, { description: 'Minutes of computing that the new runs take, as estimated.' })
  minutes!: number;

  @Field(() => [Int], { description: 'Numbers of finished runs that serve as they are.' })
  reused!: number[];

  @Field(() => [Int], { description: 'Numbers of runs that were under way already.' })
  underWay!: number[];

  @Field(() => [StudyArmLeft], { description: 'What is left out, and why.' })
  left!: StudyArmLeft[];
}

@ObjectType({ simpleResolvers: true, description: 'What reproduceStudy would do.' })
class StudyPlan extends StudyPlanParts {
  @Field(() => [StudyRunPlanned], { description: 'The runs to queue, in the order in which they would be executed.' })
  planned!: StudyRunPlanned[];
}

@ObjectType({ simpleResolvers: true, description: 'What reproduceStudy did.' })
class ReproducedStudy extends StudyPlanParts {
  @Field(() => Study, { description: 'The study, as it is now.' })
  study!: Study;

  @Field(() => [Run], { description: 'The new runs, in the order in which they are executed.' })
  queued!: Run[];
}

@InputType({ description: 'What is to be run of a study.' })
class ReproduceStudyInput {
  @Field(() => ID, { description: 'Name of the study.' })
  name!: string;

  @Field(() => [String], {
    nullable: true,
    description: 'Names, labels or groups of rows; of a study without a table, names or labels of arms. Null: all.',
  })
  rows?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Names, labels or groups of columns. Null: all.' })
  columns?: string[] | null;

  @Field(() => [Int], { nullable: true, description: "Instead of the study's own." })
  seeds?: number[] | null;

  @Field(() => StudyBudget, { nullable: true, description: 'Null, without minutes: quick.' })
  budget?: keyof typeof StudyBudget | null;

  @Field(() => Float, {
    nullable: true,
    description:
      "Instead of a budget: queues until so many minutes of computing are used, as estimated; the paper's settings where they fit.",
  })
  minutes?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Computes anew what has finished.' })
  fresh?: boolean | null;

  @Field(() => Float, { nullable: true, description: 'The part of the finished runs, 0 to 1, that is computed again.' })
  audit?: number | null;

  @Field(() => String, { nullable: true, description: 'Project of the new runs; null: `reproductions`.' })
  project?: string | null;

  @Field(() => Int, { nullable: true, description: '1 (first) to 2,097,151 (last); null: 1000.' })
  priority?: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Any words by which this call is known to the study: the same call with them again, as after an answer that was lost, answers the runs that it queued, and queues none. Null: each call queues what is to be queued.',
  })
  key?: string | null;
}

/** A study reads all of its runs: an operation may ask for all studies twice, whatever names it gives them. */
const LIST_COST = 10_000;
const STUDY_COST = LIST_COST / STUDIES.length;

@Resolver(() => Study)
export class StudyResolver {
  @Query(() => [Study], {
    description: 'Every table and figure of the papers, with what its runs say.',
    complexity: ({ childComplexity }) => LIST_COST + childComplexity,
  })
  async studies(
    @Arg('project', () => String, { nullable: true, description: 'Only runs of this project count.' }) project:
      | string
      | null
      | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<StudyReport[]> {
    return await reports(STUDIES, project, context);
  }

  @Query(() => Study, {
    description: 'A table or a figure by its name.',
    complexity: ({ childComplexity }) => STUDY_COST + childComplexity,
  })
  async study(
    @Arg('name', () => ID, { description: 'Such as `overrec/table-2`.' }) name: string,
    @Arg('project', () => String, { nullable: true, description: 'Only runs of this project count.' }) project:
      | string
      | null
      | undefined,
    @Ctx() context: GraphqlContext,
  ): Promise<StudyReport> {
    return await report(studyByName(name), project, context);
  }

  @Query(() => StudyPlan, {
    description: 'What reproduceStudy would do with the same input now: how many runs, how long, and what is there.',
    complexity: ({ childComplexity }) => STUDY_COST + childComplexity,
  })
  async studyPlan(
    @Arg('input', () => ReproduceStudyInput, { description: 'What would be run.' }) input: ReproduceStudyInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<StudyPlan> {
    const { plan, minutes } = await planStudy(services, studyByName(input.name), input);
    const planned = plan.queue.map(({ arm, ...one }) => ({ ...one, arm: arm.name }));
    return { planned, minutes, ...besideQueue(plan) };
  }

  @Mutation(() => ReproducedStudy, {
    description:
      'Queues what is missing of a study, as ordinary runs with the tag `study:NAME`: finished runs of the same configuration, seed and data are reused.',
  })
  async reproduceStudy(
    @Arg('input', () => ReproduceStudyInput, { description: 'What is to be run.' }) input: ReproduceStudyInput,
    @Ctx() context: GraphqlContext,
  ): Promise<Omit<ReproducedStudy, 'study' | 'queued'> & { study: StudyReport; queued: unknown[] }> {
    const study = studyByName(input.name);
    const { queued, plan, minutes } = await reproduceStudy(context.services, study, input);
    return {
      study: await report(study, null, context),
      queued: queued satisfies Pick<Run, 'id'>[],
      minutes,
      ...besideQueue(plan),
    };
  }

  @FieldResolver(() => String, { description: 'Authors, title, place and year of the paper.' })
  paperReference(@Root() { paper }: { paper: Paper }): string {
    return PAPERS[paper];
  }

  @FieldResolver(() => String, { description: 'The study as the text of a file.' })
  export(
    @Root() study: StudyReport,
    @Arg('format', () => StudyFormat, { description: 'Of the file.' }) format: keyof typeof StudyFormat,
    @Ctx() { loaders }: GraphqlContext,
  ): string {
    const text = exportStudies([study], format);
    loaders.budget.charge(text.length);
    return text;
  }

  @FieldResolver(() => [StudyFigure], { description: 'Figures, drawn from finished runs.' })
  figures(@Root() { figures }: StudyReport): unknown[] {
    return figures.map(inColumns);
  }
}

/** What a plan does not queue, and why. */
function besideQueue({ reused, underWay, left, notRunnable }: Plan): Pick<StudyPlan, 'reused' | 'underWay' | 'left'> {
  return {
    reused: reused.map(({ number }) => number),
    underWay: underWay.map(({ number }) => number),
    left: [
      ...left.map(({ arm, seed, minutes }) => ({
        arm,
        seed,
        reason: `about ${minutes.toFixed(1)} minutes, more than are left`,
      })),
      ...notRunnable.map(({ arm, reason }) => ({ arm, seed: null, reason })),
    ],
  };
}

async function reports(
  studies: typeof STUDIES,
  project: string | null | undefined,
  { services, artifacts, signal }: GraphqlContext,
): Promise<StudyReport[]> {
  return await rememberedReports({ db: services.db, artifacts }, studies, { project, signal });
}

async function report(
  study: (typeof STUDIES)[number],
  project: string | null | undefined,
  context: GraphqlContext,
): Promise<StudyReport> {
  const [only] = await reports([study], project, context);
  invariant(only !== undefined, 'each study has a report');
  return only;
}

function inColumns({ panels, ...figure }: FigureReport) {
  return {
    ...figure,
    panels: panels.map(({ series, picture, ...panel }) => ({
      ...panel,
      series: series.map(columnsOf),
      picture:
        picture === null
          ? null
          : {
              artifactId: picture.artifactId,
              name: picture.name,
              runId: picture.run.id,
              runNumber: picture.run.number,
            },
    })),
  };
}

function columnsOf({ label, points, shortened, reason }: FigureSeriesReport): StudySeries {
  return {
    label,
    x: points.map(({ x }) => String(x)),
    means: points.map(({ mean }) => mean),
    standardDeviations: points.map(({ standardDeviation }) => standardDeviation),
    seeds: points.map(({ n }) => n),
    printed: points.map(({ printed }) => printed),
    shortened,
    reason,
  };
}
