import { Field, InputType } from 'type-graphql';
import { SortDirection } from '../types/enums.ts';

@InputType()
export class RunOrder {
  @Field(() => String, {
    defaultValue: 'number',
    description:
      'created, started, ended, number, name, state, kind, dataset, seed, duration, progress, metric."name", config.path',
  })
  by!: string;

  @Field(() => SortDirection, { defaultValue: 'DESC' })
  direction!: keyof typeof SortDirection;
}
