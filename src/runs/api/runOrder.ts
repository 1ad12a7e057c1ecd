import { Field, InputType } from 'type-graphql';
import { SortDirection } from '#src/base/graphql/enums.ts';

@InputType({ description: 'An order of runs.' })
export class RunOrder {
  @Field(() => String, {
    defaultValue: 'number',
    description:
      'What to order by: `created`, `started`, `ended`, `number`, `name`, `state`, `kind`, `dataset`, `seed`, `duration`, `progress`, `metric."name"` or `config.path`.',
  })
  by!: string;

  @Field(() => SortDirection, { defaultValue: 'DESC', description: 'Which way.' })
  direction!: keyof typeof SortDirection;
}
