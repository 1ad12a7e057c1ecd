import { Field, ID, InputType, Int } from 'type-graphql';

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

  @Field(() => Int, {
    nullable: true,
    description:
      'The seed of a run that its program logs by itself, while it runs; for programs that choose it after their start.',
  })
  seed?: number | null;
}
