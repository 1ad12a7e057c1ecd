import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { MEDIA_KINDS, type MediaKind } from '#src/base/contracts/media.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText, numberArrayLiteral, parseNumberArray } from '#src/base/database/databaseText.ts';
import { measureRows } from '#src/base/database/measureRows.ts';
import { countRow, int8, jsonObject, nameRow, queryRows, timestamp } from '#src/base/database/queryRows.ts';
import { thinnedSteps } from './thinnedSteps.ts';

export const mediaKind = z.custom<MediaKind>(
  (value) => typeof value === 'string' && value in MEDIA_KINDS,
  'expected a kind of media',
);
const contentRow = z.object({ sha256: z.string() });

/** A row of `media`: something to look at that a program logged at a step. */
export const mediaRow = z.object({
  runId: z.string(),
  name: z.string(),
  step: int8,
  /** Its place among those of the same name and step, from 0. */
  place: z.int(),
  kind: mediaKind,
  caption: z.string(),
  metadata: jsonObject,
  /** Of its content; null where all that it is stands in the metadata. */
  sha256: z.string().nullable(),
  mediaType: z.string().nullable(),
  sizeBytes: int8.nullable(),
  time: timestamp,
});
export type MediaRecord = z.infer<typeof mediaRow>;

export interface NewMedia extends Pick<MediaRecord, 'name' | 'step' | 'place' | 'kind' | 'caption' | 'sha256'> {
  metadata: unknown;
  /** Unix milliseconds. */
  timeMs: number;
}

/** The first of these contents that the run has not been sent; null where it has them all. */
export async function findMissingContent(
  connection: Connection,
  runId: string,
  sha256s: readonly string[],
): Promise<string | null> {
  const rows = await queryRows(connection, contentRow)`
    SELECT sha256 FROM unnest(${[...sha256s]}::text[]) WITH ORDINALITY AS wanted (sha256, position)
    WHERE NOT EXISTS (SELECT FROM artifact WHERE run_id = ${runId}::uuid AND name = 'media/' || wanted.sha256)
    ORDER BY position LIMIT 1`;
  return rows[0]?.sha256 ?? null;
}

/**
 * Writes media of a run, whose contents it has; what is there already under a name, step and place stays as it is.
 * @returns how many were new.
 */
export async function insertMedia(connection: Connection, runId: string, media: readonly NewMedia[]): Promise<number> {
  if (media.length === 0) return 0;
  return await connection.$executeRaw`
    INSERT INTO media (run_id, name, step, place, kind, caption, metadata, sha256, media_type, size_bytes, time)
    SELECT ${runId}::uuid, given.name, given.step, given.place, given.kind, given.caption, given.metadata::jsonb,
      artifact.sha256, artifact.media_type, artifact.size_bytes, to_timestamp(given.time / 1000.0)
    FROM unnest(${media.map(({ name }) => databaseText(name))}::text[],
      ${numberArrayLiteral(media.map(({ step }) => step))}::int8[],
      ${numberArrayLiteral(media.map(({ place }) => place))}::int[],
      ${media.map(({ kind }) => kind)}::text[], ${media.map(({ caption }) => databaseText(caption))}::text[],
      ${media.map(({ metadata }) => databaseJson(metadata))}::text[],
      ${media.map(({ sha256 }) => sha256 ?? '')}::text[],
      ${numberArrayLiteral(media.map(({ timeMs }) => Math.round(timeMs)))}::int8[])
      AS given (name, step, place, kind, caption, metadata, sha256, time)
    LEFT JOIN artifact ON artifact.run_id = ${runId}::uuid AND artifact.name = 'media/' || given.sha256
    ON CONFLICT DO NOTHING`;
}

/** How many different names the media of a run have. */
export async function countMediaNames(connection: Connection, runId: string): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(DISTINCT name)::int AS count FROM media WHERE run_id = ${runId}::uuid`;
  return rows[0]?.count ?? 0;
}

/** How many media a run has. */
export async function countMedia(connection: Connection, runId: string): Promise<number> {
  const rows = await queryRows(connection, countRow)`
    SELECT count(*)::int AS count FROM media WHERE run_id = ${runId}::uuid`;
  return rows[0]?.count ?? 0;
}

/** Which of these names the run has no media of. */
export async function newMediaNames(
  connection: Connection,
  runId: string,
  names: readonly string[],
): Promise<string[]> {
  const rows = await queryRows(connection, nameRow)`
    SELECT name FROM unnest(${names.map(databaseText)}::text[]) AS wanted (name)
    WHERE NOT EXISTS (SELECT FROM media WHERE run_id = ${runId}::uuid AND media.name = wanted.name)`;
  return rows.map(({ name }) => name);
}

/** Some of the media of each run, by name, step and place. */
export interface MediaPage {
  /** Null: all names. */
  names: readonly string[] | null;
  /** Both inclusive; null: no bound. */
  fromStep: number | null;
  toStep: number | null;
  /** Those after this one, as `mediaId` wrote it; null begins with the first. */
  after: string | null;
  first: number;
}

function pageSql(runIds: readonly string[], { names, fromStep, toStep, after, first }: MediaPage): Prisma.Sql {
  const named = names === null ? Prisma.empty : Prisma.sql`AND name = ANY(${names.map(databaseText)}::text[])`;
  const from = fromStep === null ? Prisma.empty : Prisma.sql`AND step >= ${fromStep}::int8`;
  const to = toStep === null ? Prisma.empty : Prisma.sql`AND step <= ${toStep}::int8`;
  const [name, step, place] = after === null ? ['', -1, -1] : parseMediaId(after);
  const later =
    after === null
      ? Prisma.empty
      : Prisma.sql`AND (name, step, place) > (${databaseText(name)}, ${step}::int8, ${place}::int)`;
  return Prisma.sql`SELECT found.* FROM unnest(${[...runIds]}::uuid[]) AS wanted (run_id)
    CROSS JOIN LATERAL (
      SELECT * FROM media WHERE media.run_id = wanted.run_id ${named} ${from} ${to} ${later}
      ORDER BY name, step, place LIMIT ${first}::int
    ) found`;
}

/** A page of the media of each run. */
export async function listMedia(
  connection: Connection,
  runIds: readonly string[],
  page: MediaPage,
): Promise<MediaRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, mediaRow)`
    SELECT run_id AS "runId", name, step, place, kind, caption, metadata, sha256, media_type AS "mediaType",
      size_bytes AS "sizeBytes", time
    FROM (${pageSql(runIds, page)}) page ORDER BY name, step, place`;
}

/** Bytes that these media take in an answer, without their contents. */
export async function measureMedia(
  connection: Connection,
  runIds: readonly string[],
  page: MediaPage,
): Promise<number> {
  return await measureRows(connection, pageSql(runIds, page));
}

/** What a run has under one name. */
const seriesRow = z.object({
  runId: z.string(),
  name: z.string(),
  /** Of the newest. */
  kind: mediaKind,
  count: z.int(),
  /** Steps with something, rising; of many, evenly chosen ones with the first and the last among them. */
  steps: z.string().transform(parseNumberArray),
});
export type MediaSeriesRecord = z.infer<typeof seriesRow>;

/** The names of the media of each run, in order, with at most `mostSteps` (two or more) of the steps of each. */
export async function listMediaSeries(
  connection: Connection,
  runIds: readonly string[],
  mostSteps: number,
): Promise<MediaSeriesRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, seriesRow)`
    SELECT run_id AS "runId", name, (array_agg(kind ORDER BY step DESC))[1] AS kind, sum(count)::int AS count,
      ${thinnedSteps(mostSteps)} AS steps
    FROM (
      SELECT run_id, name, step, min(kind) AS kind, count(*) AS count,
        row_number() OVER (PARTITION BY run_id, name ORDER BY step) - 1 AS earlier,
        count(*) OVER (PARTITION BY run_id, name) AS steps
      FROM media WHERE run_id = ANY(${[...runIds]}::uuid[]) GROUP BY run_id, name, step
    ) stepped GROUP BY run_id, name ORDER BY run_id, name`;
}

const idSchema = z.tuple([
  z.string(),
  z
    .number()
    .refine(Number.isInteger)
    .min(0)
    .max(2 ** 53),
  z.int().min(0).max(2_147_483_647),
]);

/** What names a record within its run; given back as `after`. */
export function mediaId({ name, step, place }: Pick<MediaRecord, 'name' | 'step' | 'place'>): string {
  return Buffer.from(JSON.stringify([name, step, place])).toString('base64url');
}

/** @throws WarrenError BAD_INPUT. */
export function parseMediaId(id: string): [name: string, step: number, place: number] {
  try {
    return idSchema.parse(JSON.parse(Buffer.from(id, 'base64url').toString()));
  } catch {
    throw badInput(`after: "${id.slice(0, 40)}" names no media; give the id of an earlier answer`, 'after');
  }
}
