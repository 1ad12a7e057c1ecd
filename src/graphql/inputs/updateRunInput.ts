import { Field, ID, InputType } from 'type-graphql';

@InputType()
export class UpdateRunInput {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => String, { nullable: true })
  notes?: string | null;

  @Field(() => [String], { nullable: true })
  tags?: string[] | null;
}
