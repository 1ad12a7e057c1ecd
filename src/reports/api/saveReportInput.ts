import { Field, ID, InputType, Int } from 'type-graphql';

@InputType({ description: 'A report to make, or a new version of one.' })
export class SaveReportInput {
  @Field(() => ID, { nullable: true, description: 'Id or number of a report to change; null: a new one is made.' })
  id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the project of a new report; it is made when there is none.',
  })
  project?: string | null;

  @Field(() => String, { nullable: true, description: 'Its title; null: it keeps the one that it has.' })
  title?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'All of its text in Markdown, 100,000 characters at most; null: it stays.',
  })
  text?: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Of a report that is there: the version that was edited. Saving is refused where there is a newer one.',
  })
  basedOn?: number | null;
}
