import { Field, Int, ObjectType } from 'type-graphql';
import { dateTimeScalar } from '../scalars/dateTimeScalar.ts';
import { LogLevel } from './enums.ts';

@ObjectType({ simpleResolvers: true })
export class LogLine {
  @Field(() => Int)
  attempt!: number;

  @Field(() => Int)
  line!: number;

  @Field(() => LogLevel)
  level!: keyof typeof LogLevel;

  @Field(() => String)
  text!: string;

  @Field(() => dateTimeScalar)
  time!: Date;
}

@ObjectType({ simpleResolvers: true })
export class LogPage {
  @Field(() => [LogLine])
  lines!: LogLine[];

  @Field(() => String, {
    nullable: true,
    description: 'Give it as `after` to go on; the newest position when there is nothing more.',
  })
  cursor!: string | null;

  @Field(() => Boolean)
  hasMore!: boolean;
}
