import { Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Names to choose the columns of a table from.' })
export class RunColumns {
  @Field(() => [String], { description: 'Names of metrics.' })
  metrics!: string[];

  @Field(() => [String], { description: 'Paths of configuration fields, such as `parameters.epochs`.' })
  configuration!: string[];

  @Field(() => [String], { description: 'Tags.' })
  tags!: string[];
}
