import { Field, Float, Int, ObjectType } from 'type-graphql';
import { Run } from './run.ts';
import { Study } from './study.ts';

@ObjectType({ simpleResolvers: true, description: 'A run of an arm that was not queued.' })
export class StudyArmLeft {
  @Field(() => String, { description: 'Name of the arm.' })
  arm!: string;

  @Field(() => Int, { nullable: true, description: 'Its seed; null where that does not matter.' })
  seed!: number | null;

  @Field(() => String, { description: 'Why.' })
  reason!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What reproduceStudy did.' })
export class ReproducedStudy {
  @Field(() => Study, { description: 'The study, as it is now.' })
  study!: Study;

  @Field(() => [Run], { description: 'The new runs, in the order in which they are executed.' })
  queued!: Run[];

  @Field(() => Float, { description: 'Minutes of computing that they take, as estimated.' })
  minutes!: number;

  @Field(() => [Int], { description: 'Numbers of finished runs that serve as they are.' })
  reused!: number[];

  @Field(() => [Int], { description: 'Numbers of runs that were under way already.' })
  underWay!: number[];

  @Field(() => [StudyArmLeft], { description: 'What was left out, and why.' })
  left!: StudyArmLeft[];
}
