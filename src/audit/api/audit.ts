import { Field, ID, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';

@ObjectType({ simpleResolvers: true, description: 'What somebody did.' })
export class AuditEntry {
  @Field(() => ID, { description: 'Counts entries; give the last one of a page as `before` to go on from there.' })
  id!: string;

  @Field(() => dateTimeScalar, { description: 'When it was done.' })
  time!: Date;

  @Field(() => String, {
    description: '`token`, `user`, `share`, `command line`, or `anybody` where no token is asked for.',
  })
  actorKind!: string;

  @Field(() => String, { description: "The token's name, the user's address, the link's title." })
  actor!: string;

  @Field(() => String, { description: 'What was done: the name of a mutation, or such as `signIn`, `export`.' })
  action!: string;

  @Field(() => [String], { description: 'The projects that it concerned, by the names that they had.' })
  projects!: string[];

  @Field(() => [String], { description: 'What it concerned, such as `run 12`: the first 20.' })
  objects!: string[];

  @Field(() => Int, { description: 'How many there were of them.' })
  objectCount!: number;

  @Field(() => String, {
    description: '`done`, `refused` where nothing that was named could be changed, or the code of the error.',
  })
  result!: string;

  @Field(() => jsonScalar, { description: 'What was asked for, as far as it is no secret.' })
  details!: unknown;

  @Field(() => String, { nullable: true, description: 'The id of the request, as in the log.' })
  requestId!: string | null;
}
