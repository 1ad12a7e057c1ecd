import { Field, ObjectType } from 'type-graphql';

@ObjectType({
  simpleResolvers: true,
  description: 'A module of WARREN_KINDS, as the API found it when it started; each worker loads modules itself.',
})
export class KindModule {
  @Field(() => String, { description: 'What stands in WARREN_KINDS, and within a folder the file.' })
  module!: string;

  @Field(() => [String], { description: 'Names of the kinds that it adds.' })
  kinds!: string[];

  @Field(() => [String], { description: 'Names of the presets that it adds to kinds that are not its own.' })
  presets!: string[];

  @Field(() => [String], { description: 'Names of the datasets that it adds.' })
  datasets!: string[];

  @Field(() => String, { nullable: true, description: 'Why it could not be loaded; null when it is.' })
  problem!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A module of WARREN_KINDS that a worker could not load.' })
export class LeftOutModule {
  @Field(() => String, { description: 'What stands in WARREN_KINDS, and within a folder the file.' })
  module!: string;

  @Field(() => String, { description: 'Why, and what would be right.' })
  problem!: string;
}
