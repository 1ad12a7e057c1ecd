import { Field, ObjectType } from 'type-graphql';

@ObjectType({ simpleResolvers: true, description: 'Where a page stands among all pages.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are entries after it.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether it was asked for with `after`.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of its first entry; null where it is empty.' })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of its last entry, to be given as `after`; null where it is empty.',
  })
  endCursor!: string | null;
}
