import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import {
  histogramSchema,
  LONGEST_SHORT_TEXT,
  type MediaKind,
  mediaContentName,
  shortTextSchema,
} from '#src/base/contracts/media.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { isStorableTime } from '#src/base/contracts/storableTime.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { runNotifications, sendNotifications } from '#src/base/database/sendNotifications.ts';
import {
  countMedia,
  countMediaNames,
  findMissingContent,
  insertMedia,
  type NewMedia,
  newMediaNames,
} from '#src/media/store/mediaRecord.ts';
import { hearProgram } from '#src/runs/externalRun.ts';
import { refuseLongJson } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface MediaInput {
  /** A path such as `samples/generated`. */
  name: string;
  step: number;
  /** Its place among those of one name and step; 0 unless given. */
  index?: number | null | undefined;
  kind: MediaKind;
  caption?: string | null | undefined;
  /** An object; a histogram's bins, an image's size, a short text. */
  metadata?: unknown;
  /** Of the content, which the run was sent as the artifact `media/<sha256>`; histograms and short texts have none. */
  sha256?: string | null | undefined;
  /** Unix milliseconds; now when left out. */
  time?: number | null | undefined;
}

const MOST_ITEMS = 1_000;
/** Names under which a run may have media. */
const MOST_NAMES = 1_000;
/** Media that a run may have. */
const MOST_MEDIA = 200_000;
const LONGEST_NAME = 500;
const LONGEST_CAPTION = 2_000;
const LONGEST_METADATA = 32_768;
const LAST_PLACE = 99_999;

const metadataSchema = z.record(z.string(), z.unknown());

/**
 * Records media of an external run, or of a command that is executed; what is there already under a name, step and index
 * stays as it is.
 * @returns how many were new.
 * @throws WarrenError BAD_INPUT also where the run has not been sent a content, or would have too many media or names.
 */
export async function logMedia(
  context: Pick<ServiceContext, 'db'>,
  input: { runId: string; items: readonly MediaInput[]; attempt?: RunAttempt | undefined },
  mostMedia: number = MOST_MEDIA,
): Promise<number> {
  const { items } = input;
  if (items.length > MOST_ITEMS) {
    throw badInput(`items: at most ${MOST_ITEMS.toLocaleString('en')} at a time, received ${items.length}`, 'items');
  }
  const nowMs = Date.now();
  const media = items.map((item, position) => checked(item, `items[${position}]`, nowMs));
  return await inTransaction(context.db, async (connection) => {
    const run = await hearProgram(connection, input.runId, { attempt: input.attempt });
    const contents = [...new Set(media.flatMap(({ sha256 }) => sha256 ?? []))];
    const missing = await findMissingContent(connection, run.id, contents);
    if (missing !== null) {
      const path = `items[${media.findIndex(({ sha256 }) => sha256 === missing)}].sha256`;
      const address = `/artifacts/${run.id}/${mediaContentName(missing)}`;
      throw badInput(`${path}: the run has no such content: send it with PUT to ${address} first`, path);
    }
    const added = await newMediaNames(connection, run.id, [...new Set(media.map(({ name }) => name))]);
    if (added.length > 0 && (await countMediaNames(connection, run.id)) + added.length > MOST_NAMES) {
      const advice = 'log under fewer names, and tell them apart by step and index';
      throw badInput(`items: a run has media under ${MOST_NAMES} names at most: ${advice}`, 'items');
    }
    const inserted = await insertMedia(connection, run.id, media);
    if (inserted > 0 && (await countMedia(connection, run.id)) > mostMedia) {
      const advice = 'log fewer steps of it';
      throw badInput(`items: a run has at most ${mostMedia.toLocaleString('en')} media: ${advice}`, 'items');
    }
    if (inserted > 0) await sendNotifications(connection, runNotifications([run]));
    return inserted;
  });
}

function checked(item: MediaInput, path: string, nowMs: number): NewMedia {
  const { name, step, kind } = item;
  if (name.length === 0 || name.length > LONGEST_NAME) {
    throw badInput(`${path}.name: 1 to ${LONGEST_NAME} characters, received ${name.length}`, `${path}.name`);
  }
  if (!Number.isInteger(step) || step < 0 || step > 2 ** 53) {
    throw badInput(`${path}.step: ${step} is not a whole number from 0 to 2^53`, `${path}.step`);
  }
  const place = item.index ?? 0;
  if (!Number.isInteger(place) || place < 0 || place > LAST_PLACE) {
    throw badInput(`${path}.index: ${place} is not a whole number from 0 to ${LAST_PLACE}`, `${path}.index`);
  }
  const caption = item.caption ?? '';
  if (caption.length > LONGEST_CAPTION) {
    const message = `${path}.caption: at most ${LONGEST_CAPTION} characters, received ${caption.length}`;
    throw badInput(message, `${path}.caption`);
  }
  const timeMs = item.time ?? nowMs;
  if (!isStorableTime(timeMs)) {
    throw badInput(`${path}.time: ${timeMs} is not a Unix time in milliseconds before the year 10000`, `${path}.time`);
  }
  const metadata = metadataSchema.safeParse(item.metadata ?? {});
  if (!metadata.success) throw badInput(`${path}.metadata: expected an object`, `${path}.metadata`);
  refuseLongJson(metadata.data, { path: `${path}.metadata`, most: LONGEST_METADATA });
  const sha256 = checkedContent(item, metadata.data, path);
  return { name, step, place, kind, caption, metadata: metadata.data, sha256, timeMs };
}

/** A histogram and a short text are their metadata; everything else has a content. */
function checkedContent(item: MediaInput, metadata: Record<string, unknown>, path: string): string | null {
  const sha256 = item.sha256?.toLowerCase() ?? null;
  if (item.kind === 'histogram') {
    if (sha256 !== null) throw badInput(`${path}.sha256: a histogram has no content`, `${path}.sha256`);
    const parsed = histogramSchema.safeParse(metadata);
    if (parsed.success) return null;
    const issue = parsed.error.issues[0];
    const where = [`${path}.metadata`, ...(issue?.path ?? [])].join('.');
    throw badInput(`${where}: a histogram needs "edges" and "counts", ${issue?.message ?? 'received others'}`, where);
  }
  if (sha256 !== null && /^[0-9a-f]{64}$/.test(sha256)) return sha256;
  if (item.kind === 'text' && sha256 === null && 'text' in metadata) {
    if (shortTextSchema.safeParse(metadata).success) return null;
    const most = LONGEST_SHORT_TEXT.toLocaleString('en');
    const where = `${path}.metadata.text`;
    throw badInput(`${where}: expected at most ${most} characters; a longer text is sent as content`, where);
  }
  throw badInput(`${path}.sha256: expected the 64 hexadecimal digits of the content's sha256`, `${path}.sha256`);
}
