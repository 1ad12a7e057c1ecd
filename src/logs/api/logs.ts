import { Field, Int, ObjectType } from 'type-graphql';
import type { LogPage as LogPageRecord } from '#src/logs/readLogs.ts';
import type { LogLineRecord } from '#src/logs/store/logLines.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { LogLevel } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

@ObjectType({ simpleResolvers: true, description: 'One line of what a run wrote.' })
export class LogLine implements MadeFrom<LogLineRecord, LogLine> {
  @Field(() => Int, { description: 'Number of the attempt that wrote it.' })
  attempt!: number;

  @Field(() => Int, { description: 'Its number within the attempt, from 0.' })
  line!: number;

  @Field(() => LogLevel, { description: 'How serious it is.' })
  level!: keyof typeof LogLevel;

  @Field(() => String, { description: 'The line, without its line break.' })
  text!: string;

  @Field(() => dateTimeScalar, {
    description: 'When it was written; by the clock of the database where a worker found its own wrong.',
  })
  time!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Some lines of a log, oldest first.' })
export class LogPage implements MadeFrom<LogPageRecord, LogPage> {
  @Field(() => [LogLine], { description: 'The lines of the page.' })
  lines!: LogLine[];

  @Field(() => String, {
    nullable: true,
    description: 'Give it as `after` to go on. Null before the first line.',
  })
  cursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are lines after these.' })
  hasMore!: boolean;
}
