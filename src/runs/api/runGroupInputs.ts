import { Field, InputType, Int } from 'type-graphql';
import { GroupValue, RunGroupOrderBy, SortDirection } from '#src/base/graphql/enums.ts';

@InputType({ description: 'A metric that groups of runs are summed up over.' })
export class GroupMetricInput {
  @Field(() => String, { description: 'Name of the metric, such as `test/ndcg@10`.' })
  name!: string;

  @Field(() => GroupValue, { defaultValue: 'LAST', description: 'Which value of each run.' })
  at!: keyof typeof GroupValue;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of another metric: the value at the first step where that one was best, such as the test at the best validation, instead of `at`; runs without a value at that very step do not count.',
  })
  bestOf?: string | null;
}

@InputType({ description: 'An order of groups of runs.' })
export class RunGroupOrder {
  @Field(() => RunGroupOrderBy, { description: 'What to order by.' })
  by!: keyof typeof RunGroupOrderBy;

  @Field(() => Int, { defaultValue: 0, description: 'Which of `metrics` it is of, from 0.' })
  metric!: number;

  @Field(() => SortDirection, { defaultValue: 'DESC', description: 'Which way; groups without a value come last.' })
  direction!: keyof typeof SortDirection;
}
