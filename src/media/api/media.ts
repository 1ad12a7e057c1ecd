import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MEDIA_KINDS } from '#src/base/contracts/media.ts';
import type { TextRecord } from '#src/media/store/lastTexts.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { describedEnum } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';

export const MediaKind = describedEnum('MediaKind', 'What sort of thing there is to look at.', MEDIA_KINDS);

/** Its `id`, `index` and `url` are in `resolvers/mediaResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'Something to look at that a run logged at a step.' })
export class Media {
  @Field(() => String, { description: 'The name it was logged under, such as `samples/generated`.' })
  name!: string;

  @Field(() => stepScalar, { description: 'The step it was logged at.' })
  step!: number;

  @Field(() => MediaKind, { description: 'What it is.' })
  kind!: keyof typeof MediaKind;

  @Field(() => String, { description: 'What its program wrote beside it; may be empty.' })
  caption!: string;

  @Field(() => jsonScalar, {
    description:
      'What is known of it: the bins of a histogram, the width and height of an image, the columns of a table, a short text.',
  })
  metadata!: unknown;

  @Field(() => String, {
    nullable: true,
    description: 'The sha256 of its content; null for a histogram and a short text.',
  })
  sha256!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The media type of its content; null for a histogram and a short text.',
  })
  mediaType!: string | null;

  @Field(() => Float, { nullable: true, description: 'Bytes of its content; null for a histogram and a short text.' })
  sizeBytes!: number | null;

  @Field(() => dateTimeScalar, { description: 'When it was logged.' })
  time!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'The texts that a run logged last under one name.' })
export class TextValue implements MadeFrom<TextRecord, TextValue> {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => stepScalar, { description: 'The last step that has anything under the name.' })
  step!: number;

  @Field(() => [String], { description: 'Its texts at that step, by index; of long ones the beginning.' })
  texts!: string[];
}

@ObjectType({ simpleResolvers: true, description: 'What a run has to look at under one name.' })
export class MediaSeries {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => MediaKind, { description: 'What the newest of it is.' })
  kind!: keyof typeof MediaKind;

  @Field(() => Int, { description: 'How many there are at all steps.' })
  count!: number;

  @Field(() => [stepScalar], {
    description: 'Steps with something, rising; of more than 5,000, so many with the first and the last among them.',
  })
  steps!: number[];
}

@ObjectType({
  simpleResolvers: true,
  description: 'A name under which some of several runs have something to look at.',
})
export class MediaName {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => MediaKind, { description: 'What the newest of it is.' })
  kind!: keyof typeof MediaKind;

  @Field(() => Int, { description: 'How many of the runs have it.' })
  runCount!: number;

  @Field(() => [stepScalar], {
    description:
      'Steps at which one of them has it, rising; of more than 500, so many with the first and the last among them.',
  })
  steps!: number[];
}

@ObjectType({ simpleResolvers: true, description: 'What one of several runs has to look at under a name at a step.' })
export class MediaOfRun {
  @Field(() => ID, { description: 'Id of the run.' })
  runId!: string;

  @Field(() => stepScalar, { description: 'The step, its last one up to the step that was asked for.' })
  step!: number;

  @Field(() => Int, { description: 'How many there are at this step.' })
  count!: number;

  @Field(() => [Media], { description: 'The first of them, by index.' })
  items!: Media[];
}

@InputType({ description: 'Something to look at.' })
export class MediaInput {
  @Field(() => String, { description: 'Name: a path such as `samples/generated`.' })
  name!: string;

  @Field(() => stepScalar, { description: 'The step that it belongs to.' })
  step!: number;

  @Field(() => Int, { nullable: true, description: 'Its place among those of the same name and step; null: 0.' })
  index?: number | null;

  @Field(() => MediaKind, { description: 'What it is.' })
  kind!: keyof typeof MediaKind;

  @Field(() => String, { nullable: true, description: 'What to write beside it; null: nothing.' })
  caption?: string | null;

  @Field(() => jsonScalar, { nullable: true, description: 'An object: what is known of it; null: nothing.' })
  metadata?: unknown;

  @Field(() => String, {
    nullable: true,
    description:
      'The sha256 of its content, which was sent before with PUT to `/artifacts/<run>/media/<sha256>`; null for a histogram and a short text.',
  })
  sha256?: string | null;

  @Field(() => Float, { nullable: true, description: 'When it was logged, in Unix milliseconds; null: now.' })
  time?: number | null;
}
