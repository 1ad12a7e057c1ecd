import { Field, ID, InputType } from 'type-graphql';

@InputType({ description: 'What to change of a run; fields that are left out stay.' })
export class UpdateRunInput {
  @Field(() => ID, { description: 'Id or number of the run.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Its new name.' })
  name?: string | null;

  @Field(() => String, { nullable: true, description: 'Its new notes.' })
  notes?: string | null;

  @Field(() => [String], { nullable: true, description: 'All its tags from now on.' })
  tags?: string[] | null;
}
