import { z } from 'zod';
import { RUN_STATES } from '#src/base/contracts/runState.ts';
import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { queryRows } from '#src/base/database/queryRows.ts';

/** Towards what something was made from, or towards what was made from it. */
export type LineageSide = 'BEFORE' | 'AFTER';

const runNeighbourRow = z.object({
  ownerId: z.string(),
  id: z.string(),
  number: z.int(),
  name: z.string(),
  state: z.enum(RUN_STATES),
  /** What passed between them: names of artifacts, at most three, and `fork after step N`. */
  labels: z.array(z.string()),
  /** Neighbors that the owner has on this side, also beyond those that are answered. */
  total: z.int(),
});
/** A run that a run, the owner, took artifacts from or branched off from, or the other way round. */
export type RunNeighbour = z.infer<typeof runNeighbourRow>;

/**
 * The runs beside each of the runs, the newest first, so many of each at most. What was taken as a file of a registered version
 * is left out: the version stands between. Of those after, none in the trash.
 */
export async function listRunNeighbours(
  connection: Connection,
  runIds: readonly string[],
  { side, first }: { side: LineageSide; first: number },
): Promise<RunNeighbour[]> {
  if (runIds.length === 0) return [];
  const isBefore = side === 'BEFORE';
  const [owner, other] = isBefore
    ? [Prisma.sql`input.run_id`, Prisma.sql`input.source_run_id`]
    : [Prisma.sql`input.source_run_id`, Prisma.sql`input.run_id`];
  const [forkOwner, forkOther] = isBefore
    ? [Prisma.sql`fork.id`, Prisma.sql`fork.forked_from_id`]
    : [Prisma.sql`fork.forked_from_id`, Prisma.sql`fork.id`];
  const ids = Prisma.sql`ANY(${[...runIds]}::uuid[])`;
  return await queryRows(connection, runNeighbourRow)`
    SELECT * FROM (
      SELECT passed.owner AS "ownerId", run.id, run.number, run.name, run.state,
        (array_agg(DISTINCT passed.label))[1:3] AS labels,
        row_number() OVER (PARTITION BY passed.owner ORDER BY run.number DESC)::int AS place,
        count(*) OVER (PARTITION BY passed.owner)::int AS total
      FROM (
        SELECT ${owner} AS owner, ${other} AS other, input.artifact_name AS label FROM run_input input
        WHERE ${owner} = ${ids} AND NOT (input.sha256 IS NOT NULL AND EXISTS (
          SELECT FROM registry_use used JOIN registry_version version ON version.id = used.version_id
          WHERE used.run_id = input.run_id AND version.run_id = input.source_run_id))
        UNION ALL
        SELECT ${forkOwner}, ${forkOther}, 'fork after step ' || fork.fork_step FROM run fork
        WHERE ${forkOwner} = ${ids} AND fork.forked_from_id IS NOT NULL
      ) passed JOIN run ON run.id = passed.other
      ${isBefore ? Prisma.empty : Prisma.sql`WHERE run.deleted_at IS NULL`}
      GROUP BY passed.owner, run.id, run.number, run.name, run.state
    ) beside WHERE beside.place <= ${first}::int ORDER BY "ownerId", beside.place`;
}

const versionNeighbourRow = z.object({
  ownerId: z.string(),
  id: z.string(),
  name: z.string(),
  number: z.int(),
  type: z.string(),
  total: z.int(),
});
/** A version of a model or dataset that a run, the owner, took or made. */
export type VersionNeighbour = z.infer<typeof versionNeighbourRow>;

/** The versions that each of the runs took (before it) or made (after it), the newest first, so many of each at most. */
export async function listVersionNeighbours(
  connection: Connection,
  runIds: readonly string[],
  { side, first }: { side: LineageSide; first: number },
): Promise<VersionNeighbour[]> {
  if (runIds.length === 0) return [];
  const passed =
    side === 'BEFORE'
      ? Prisma.sql`SELECT run_id AS owner, version_id AS version FROM registry_use`
      : Prisma.sql`SELECT run_id AS owner, id AS version FROM registry_version`;
  return await queryRows(connection, versionNeighbourRow)`
    SELECT * FROM (
      SELECT passed.owner AS "ownerId", version.id, entry.name, version.number, entry.type,
        row_number() OVER (PARTITION BY passed.owner ORDER BY version.created_at DESC, version.id)::int AS place,
        count(*) OVER (PARTITION BY passed.owner)::int AS total
      FROM (${passed}) passed JOIN registry_version version ON version.id = passed.version
      JOIN registry_entry entry ON entry.id = version.entry_id
      WHERE passed.owner = ANY(${[...runIds]}::uuid[])
    ) beside WHERE beside.place <= ${first}::int ORDER BY "ownerId", beside.place`;
}

/** The runs that made (before) or took (after) each of the versions, the newest first, so many of each at most. */
export async function listRunsOfVersions(
  connection: Connection,
  versionIds: readonly string[],
  { side, first }: { side: LineageSide; first: number },
): Promise<RunNeighbour[]> {
  if (versionIds.length === 0) return [];
  const [passed, label, condition] =
    side === 'BEFORE'
      ? [Prisma.sql`SELECT id AS owner, run_id AS other FROM registry_version`, 'registered', Prisma.empty]
      : [
          Prisma.sql`SELECT version_id AS owner, run_id AS other FROM registry_use`,
          'used',
          Prisma.sql`AND run.deleted_at IS NULL`,
        ];
  return await queryRows(connection, runNeighbourRow)`
    SELECT * FROM (
      SELECT passed.owner AS "ownerId", run.id, run.number, run.name, run.state, ARRAY[${label}::text] AS labels,
        row_number() OVER (PARTITION BY passed.owner ORDER BY run.number DESC)::int AS place,
        count(*) OVER (PARTITION BY passed.owner)::int AS total
      FROM (${passed}) passed JOIN run ON run.id = passed.other
      WHERE passed.owner = ANY(${[...versionIds]}::uuid[]) ${condition}
    ) beside WHERE beside.place <= ${first}::int ORDER BY "ownerId", beside.place`;
}

const originRow = z.object({
  type: z.enum(['SWEEP', 'DECISION', 'DATASET']),
  reference: z.string(),
  label: z.string(),
  detail: z.string(),
});
/** The sweep or adaptive comparison that queued a run, or data that it used. */
export type RunOrigin = z.infer<typeof originRow>;

/** What a run belongs to and the data it used, so many at most: of the dataset with the start of its fingerprint. */
export async function listRunOrigins(connection: Connection, runId: string, first: number): Promise<RunOrigin[]> {
  return await queryRows(connection, originRow)`
    SELECT 'SWEEP' AS type, sweep.number::text AS reference, sweep.name AS label,
      CASE WHEN run.sweep_trial IS NULL THEN 'confirmed a trial' ELSE 'trial ' || run.sweep_trial END AS detail
    FROM run JOIN sweep ON sweep.id = run.sweep_id WHERE run.id = ${runId}::uuid
    UNION ALL
    SELECT 'DATASET', configuration.dataset_name, configuration.dataset_name,
      coalesce(left(run.environment ->> 'fingerprint', 12), '')
    FROM run JOIN configuration ON configuration.hash = run.configuration_hash
    WHERE run.id = ${runId}::uuid AND configuration.dataset_name IS NOT NULL
    UNION ALL
    (SELECT 'DATASET', '', input.name, left(input.digest, 12) FROM dataset_input input WHERE input.run_id = ${runId}::uuid
      ORDER BY input.id LIMIT ${first}::int)
    UNION ALL
    (SELECT DISTINCT 'DECISION', decision.number::text, 'Adaptive comparison ' || decision.number, ''
      FROM decision_pair pair JOIN decision ON decision.id = pair.decision_id
      WHERE pair.run_a_id = ${runId}::uuid OR pair.run_b_id = ${runId}::uuid LIMIT ${first}::int)`;
}
