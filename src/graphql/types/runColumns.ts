import { Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true })
export class RunColumns {
  @Field(() => [String])
  metrics!: string[];

  @Field(() => [String])
  configuration!: string[];

  @Field(() => [String])
  tags!: string[];
}
