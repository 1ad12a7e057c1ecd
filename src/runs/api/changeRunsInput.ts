import { Field, ID, InputType, Int } from 'type-graphql';
import { RunsAction } from '#src/base/graphql/enums.ts';

@InputType({ description: 'What is done with all runs that match.' })
export class ChangeRunsInput {
  @Field(() => RunsAction, { description: 'What is done.' })
  action!: keyof typeof RunsAction;

  @Field(() => String, { nullable: true, description: 'Only runs of the project of this name; null: of all.' })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Only runs that meet this filter; null: all.' })
  filter?: string | null;

  @Field(() => Boolean, { defaultValue: false, description: 'The runs in the trash instead of the others.' })
  inTrash!: boolean;

  @Field(() => ID, { nullable: true, description: 'Only runs of this group of `runGroups`; null: all.' })
  group?: string | null;

  @Field(() => Int, {
    description: 'How many runs match, as the caller has seen it: when it is another number by now, nothing is done.',
  })
  expected!: number;

  @Field(() => [String], { nullable: true, description: 'For TAG: tags that all of them get.' })
  addTags?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'For TAG: tags that are taken from those that have them.' })
  removeTags?: string[] | null;

  @Field(() => String, { nullable: true, description: 'For MOVE: name of the project, made where there is none.' })
  toProject?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'For EDIT: the new name of all of them; null: each keeps its own.',
  })
  name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'For EDIT: a paragraph at the end of the notes of all; null: none.',
  })
  addNote?: string | null;
}
