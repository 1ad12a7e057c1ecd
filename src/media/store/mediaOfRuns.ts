import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText, parseNumberArray } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { mediaKind, type MediaRecord, mediaRow } from './mediaRecord.ts';
import { thinnedSteps } from './thinnedSteps.ts';

/** A name under which some of several runs have something to look at. */
const nameRow = z.object({
  name: z.string(),
  /** Of the newest. */
  kind: mediaKind,
  /** How many of the runs have it. */
  runCount: z.int(),
  /** Steps at which one of them has it, rising; of many, evenly chosen ones with the first and the last among them. */
  steps: z.string().transform(parseNumberArray),
});
export type MediaNameRecord = z.infer<typeof nameRow>;

/** The first `mostNames` names of the media of runs, in order, with at most `mostSteps` (two or more) steps of each. */
export async function listMediaNames(
  connection: Connection,
  runIds: readonly string[],
  { mostNames, mostSteps }: { mostNames: number; mostSteps: number },
): Promise<MediaNameRecord[]> {
  if (runIds.length === 0) return [];
  return await queryRows(connection, nameRow)`
    WITH held AS (
      SELECT run_id, name, step, min(kind) AS kind FROM media
      WHERE run_id = ANY(${[...runIds]}::uuid[]) GROUP BY run_id, name, step
    ), stepped AS (
      SELECT name, step, min(kind) AS kind,
        row_number() OVER (PARTITION BY name ORDER BY step) - 1 AS earlier,
        count(*) OVER (PARTITION BY name) AS steps
      FROM held GROUP BY name, step
    )
    SELECT stepped.name, (array_agg(kind ORDER BY step DESC))[1] AS kind, holders.runs AS "runCount",
      ${thinnedSteps(mostSteps)} AS steps
    FROM stepped
    JOIN (SELECT name, count(DISTINCT run_id)::int AS runs FROM held GROUP BY name) holders ON holders.name = stepped.name
    GROUP BY stepped.name, holders.runs ORDER BY stepped.name LIMIT ${mostNames}::int`;
}

const atRow = mediaRow.extend({ count: z.int() });

/** What a run has under a name at a step. */
export interface MediaAtStep {
  runId: string;
  step: number;
  /** How many there are at this step. */
  count: number;
  /** The first of them, by place. */
  items: MediaRecord[];
}

/**
 * What each of the runs has under a name at its last step up to `step`, or at its last one: the first `first` by place. Runs
 * without any are left out.
 */
export async function listMediaAtStep(
  connection: Connection,
  runIds: readonly string[],
  { name, step, first }: { name: string; step: number | null; first: number },
): Promise<MediaAtStep[]> {
  if (runIds.length === 0) return [];
  const rows = await queryRows(connection, atRow)`
    SELECT found.run_id AS "runId", found.name, found.step, found.place, found.kind, found.caption, found.metadata,
      found.sha256, found.media_type AS "mediaType", found.size_bytes AS "sizeBytes", found.time, found.count
    FROM unnest(${[...runIds]}::uuid[]) WITH ORDINALITY AS wanted (run_id, position)
    CROSS JOIN LATERAL (
      SELECT step FROM media WHERE media.run_id = wanted.run_id AND name = ${databaseText(name)}
        AND step <= coalesce(${step}::int8, 9223372036854775807) ORDER BY step DESC LIMIT 1
    ) latest CROSS JOIN LATERAL (
      SELECT media.*, (count(*) OVER ())::int AS count FROM media
      WHERE media.run_id = wanted.run_id AND name = ${databaseText(name)} AND media.step = latest.step
      ORDER BY place LIMIT ${first}::int
    ) found ORDER BY wanted.position, found.place`;
  const byRun = new Map<string, MediaAtStep>();
  for (const { count, ...item } of rows) {
    const { runId } = item;
    const known = byRun.get(runId);
    if (known === undefined) byRun.set(runId, { runId, step: item.step, count, items: [item] });
    else known.items.push(item);
  }
  return [...byRun.values()];
}
