import { Field, ObjectType } from 'type-graphql';
import type { RunColumns as RunColumnsRecord } from '#src/runs/runColumns.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'Names to choose the columns of a table from.' })
export class RunColumns implements MadeFrom<RunColumnsRecord, RunColumns> {
  @Field(() => [String], { description: 'Names of metrics.' })
  metrics!: string[];

  @Field(() => [String], { description: 'Paths of configuration fields, such as `parameters.epochs`.' })
  configuration!: string[];

  @Field(() => [String], {
    description:
      'Those of `configuration` in which runs that have them differ; what most configurations have comes first.',
  })
  varying!: string[];

  @Field(() => [String], { description: 'Kinds of experiments.' })
  kinds!: string[];

  @Field(() => [String], { description: 'Names of datasets.' })
  datasets!: string[];

  @Field(() => [String], { description: 'Tags.' })
  tags!: string[];

  @Field(() => [String], { description: 'Names under which texts were logged.' })
  texts!: string[];
}
