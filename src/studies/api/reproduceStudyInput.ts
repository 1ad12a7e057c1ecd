import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { StudyBudget } from './study.ts';

@InputType({ description: 'What is to be run of a study.' })
export class ReproduceStudyInput {
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
