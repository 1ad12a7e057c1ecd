import { Field, ID, InputType } from 'type-graphql';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';

@InputType({ description: 'What a link is to show: runs, a report, or the table of a project.' })
export class ShareLinkInput {
  @Field(() => [ID], {
    nullable: true,
    description: 'Ids or numbers of the runs, 200 at most: one for its page, several for their comparison.',
  })
  runs?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id or number of a report: its newest version, now and later, with the runs of its project that it shows.',
  })
  report?: string | null;

  @Field(() => String, { nullable: true, description: 'The project whose table is shown; null where runs are given.' })
  project?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Which of its runs, now and later; null: all. At most 10,000 are shown.',
  })
  filter?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'How the page shows them: what stands after `?` in its address; null: the usual.',
  })
  search?: string | null;

  @Field(() => String, { nullable: true, description: 'What people read above the page; null: what it shows.' })
  title?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether it shows what programs are and where they ran, too: code, command, arguments, host and packages; null: no.',
  })
  withProgram?: boolean | null;

  @Field(() => dateTimeScalar, { nullable: true, description: 'From when on it is void; null: until it is withdrawn.' })
  expiresAt?: Date | null;
}
