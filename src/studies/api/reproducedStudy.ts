import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Run } from '#src/runs/api/run.ts';
import { Study, StudyBudget } from './study.ts';

@ObjectType({ simpleResolvers: true, description: 'A run of an arm that was not queued.' })
export class StudyArmLeft {
  @Field(() => String, { description: 'Name of the arm.' })
  arm!: string;

  @Field(() => Int, { nullable: true, description: 'Its seed; null where that does not matter.' })
  seed!: number | null;

  @Field(() => String, { description: 'Why.' })
  reason!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A run that would be queued.' })
export class StudyRunPlanned {
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
export class StudyPlan extends StudyPlanParts {
  @Field(() => [StudyRunPlanned], { description: 'The runs to queue, in the order in which they would be executed.' })
  planned!: StudyRunPlanned[];
}

@ObjectType({ simpleResolvers: true, description: 'What reproduceStudy did.' })
export class ReproducedStudy extends StudyPlanParts {
  @Field(() => Study, { description: 'The study, as it is now.' })
  study!: Study;

  @Field(() => [Run], { description: 'The new runs, in the order in which they are executed.' })
  queued!: Run[];
}
