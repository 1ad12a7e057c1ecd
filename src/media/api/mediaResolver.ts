import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Field,
  Float,
  InputType,
  ObjectType,
} from 'type-graphql';
import { badInput } from '#src/base/contracts/errors.ts';
import { mediaContentName, MEDIA_KINDS } from '#src/base/contracts/media.ts';
import { logMedia } from '#src/media/logMedia.ts';
import { mediaAtStep, mediaNames } from '#src/media/mediaOfRuns.ts';
import { viewUrl } from '#src/artifacts/viewTicket.ts';
import type { MediaAtStep, MediaNameRecord } from '#src/media/store/mediaOfRuns.ts';
import type { TextRecord } from '#src/media/store/lastTexts.ts';
import { type MediaRecord, mediaId } from '#src/media/store/mediaRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { jsonBytes } from '#src/base/graphql/answerBudget.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { stepScalar } from '#src/base/graphql/stepScalar.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { describedEnum } from '#src/base/graphql/enums.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { Run } from '#src/runs/api/run.ts';

const MediaKind = describedEnum('MediaKind', 'What sort of thing there is to look at.', MEDIA_KINDS);

/** Its `id`, `index` and `url` are in `resolvers/mediaResolver.ts`. */
@ObjectType({ simpleResolvers: true, description: 'Something to look at that a run logged at a step.' })
class Media {
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
class TextValue implements MadeFrom<TextRecord, TextValue> {
  @Field(() => String, { description: 'The name.' })
  name!: string;

  @Field(() => stepScalar, { description: 'The last step that has anything under the name.' })
  step!: number;

  @Field(() => [String], { description: 'Its texts at that step, by index; of long ones the beginning.' })
  texts!: string[];
}

@ObjectType({ simpleResolvers: true, description: 'What a run has to look at under one name.' })
class MediaSeries {
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
class MediaName {
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
class MediaOfRun {
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
class MediaInput {
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

/** What a record takes in an answer beside its metadata. */
const ROW_BYTES = 500;

@Resolver(() => Media)
export class MediaResolver {
  @FieldResolver(() => ID, { description: 'Names it within its run; `after` of `Run.media`.' })
  id(@Root() media: MediaRecord): string {
    return mediaId(media);
  }

  @FieldResolver(() => Int, { description: 'Its place among those of the same name and step, from 0.' })
  index(@Root() { place }: MediaRecord): number {
    return place;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Where a browser may show its content for an hour or two, relative to the API: in a sandbox, without a token. Null for a histogram and a short text.',
  })
  url(@Root() { runId, sha256 }: MediaRecord, @Ctx() { viewKey, reads }: GraphqlContext): string | null {
    const link = reads?.kind === 'share' ? reads.share : null;
    return sha256 === null ? null : viewUrl(viewKey, { runId, name: mediaContentName(sha256), link });
  }

  @Query(() => [MediaName], {
    description: 'The names under which some of the runs have something to look at, in order; 500 at most.',
    complexity: ({ args, childComplexity }) => (args as { runIds: string[] }).runIds.length + childComplexity,
  })
  async mediaNames(
    @Arg('runIds', () => [ID], { description: 'Ids or numbers of the runs, 1,000 at most.' }) runIds: string[],
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<MediaNameRecord[]> {
    const names = await mediaNames(services, runIds);
    for (const { steps } of names) loaders.budget.charge(ROW_BYTES + steps.length * 8);
    return names;
  }

  @Query(() => [MediaOfRun], {
    description:
      'What each of the runs has to look at under a name at its last step up to a given one; runs without any are left out.',
    complexity: ({ args, childComplexity }) => (args as { runIds: string[] }).runIds.length * 2 + childComplexity,
  })
  async mediaAtStep(
    @Arg('runIds', () => [ID], { description: 'Ids or numbers of the runs, 1,000 at most.' }) runIds: string[],
    @Arg('name', () => String, { description: 'The name it was logged under.' }) name: string,
    @Arg('step', () => stepScalar, { nullable: true, description: 'The step; null: the last one of each run.' })
    step: number | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 1, description: 'Entries of a run at most, 1 to 20.' })
    first: number | null,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<MediaAtStep[]> {
    const found = await mediaAtStep(services, { runIds, name, step: step ?? null, first: first ?? 1 });
    for (const { metadata, caption } of found.flatMap(({ items }) => items)) {
      loaders.budget.charge(ROW_BYTES + caption.length + jsonBytes(metadata));
    }
    return found;
  }

  @Mutation(() => Int, {
    description:
      'Records what an external run has to look at, whose contents were sent before; what is there already under a name, step and index stays as it is. Answers how many were new.',
  })
  async logMedia(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('items', () => [MediaInput], { description: 'At most 1,000.' }) items: MediaInput[],
    @Ctx() { services, attempt }: GraphqlContext,
  ): Promise<number> {
    return await logMedia(services, { runId, items, attempt });
  }
}

@Resolver(() => Run)
export class RunMediaResolver {
  @FieldResolver(() => [MediaSeries], { description: 'The names under which it has something to look at.' })
  async mediaSeries(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<MediaSeries[]> {
    const series = await loaders.mediaSeries.load(run.id);
    for (const { steps } of series) loaders.budget.charge(ROW_BYTES + steps.length * 8);
    return series;
  }

  @FieldResolver(() => [TextValue], {
    description: 'The newest text under each name, where it is a short one or its program sent the beginning; by name.',
  })
  async texts(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<TextRecord[]> {
    const found = await loaders.lastTexts.load(run.id);
    for (const { name, texts } of found) loaders.budget.charge(name.length + texts.join().length + ROW_BYTES);
    return found;
  }

  @FieldResolver(() => [Media], { description: 'What it has to look at, by name, step and index.' })
  async media(
    @Root() run: RunRecord,
    @Arg('names', () => [String], { nullable: true, description: 'Names of it; null: all.' })
    names: string[] | null | undefined,
    @Arg('fromStep', () => stepScalar, { nullable: true, description: 'From this step on; null: from the first.' })
    fromStep: number | null | undefined,
    @Arg('toStep', () => stepScalar, { nullable: true, description: 'Up to this step; null: up to the last.' })
    toStep: number | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Entries at most, 0 to 500.' })
    first: number | null,
    @Arg('after', () => ID, {
      nullable: true,
      description: 'The id of one, to go on from there; null: from the first.',
    })
    after: string | null | undefined,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<MediaRecord[]> {
    if (fromStep != null && toStep != null && fromStep > toStep) {
      throw badInput(`fromStep: ${fromStep} is after toStep, ${toStep}`, 'fromStep');
    }
    const page = {
      names: names ?? null,
      fromStep: fromStep ?? null,
      toStep: toStep ?? null,
      after: after ?? null,
      first: pageSize(first),
    };
    const media = await loaders.media.load(run.id, page);
    for (const { metadata, caption } of media) {
      loaders.budget.charge(ROW_BYTES + caption.length + jsonBytes(metadata));
    }
    return media;
  }
}
