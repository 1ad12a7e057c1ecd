import { Prisma, type Project } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';

/** Whether a text has all words, in any order, in capital letters or not. */
export function hasWords(text: Prisma.Sql, words: readonly string[]): Prisma.Sql {
  return Prisma.join(
    words.map((word) => Prisma.sql`strpos(lower(${text}), ${databaseText(word.toLowerCase())}) > 0`),
    ' AND ',
  );
}

/** Runs that are looked through for words. */
const NEWEST_RUNS = 100_000;

/** Runs whose name and tags have all words, of the newest 100,000, the newest first; not those in the trash. */
export async function findRunsByWords(
  connection: Connection,
  words: readonly string[],
  first: number,
): Promise<RunRecord[]> {
  const text = Prisma.sql`run.name || ' ' || array_to_string(run.tags, ' ')`;
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run
    WHERE run.number > (SELECT coalesce(max(number), 0) FROM run) - ${NEWEST_RUNS}::int AND run.deleted_at IS NULL AND ${hasWords(text, words)}
    ORDER BY run.number DESC LIMIT ${first}::int`;
}

/** Projects whose name has all words, by name. */
export async function findProjectsByWords(
  connection: Connection,
  words: readonly string[],
  first: number,
): Promise<Project[]> {
  return await connection.project.findMany({
    where: {
      deletedAt: null,
      AND: words.map((word) => ({ name: { contains: literal(word), mode: 'insensitive' as const } })),
    },
    orderBy: { name: 'asc' },
    take: first,
  });
}

/** Ids of the sweeps whose name has all words, or that have this number; the newest first. */
export async function findSweepIdsByWords(
  connection: Connection,
  { words, number, first }: { words: readonly string[]; number: number | null; first: number },
): Promise<string[]> {
  const named = words.map((word) => ({ name: { contains: literal(word), mode: 'insensitive' as const } }));
  const rows = await connection.sweep.findMany({
    select: { id: true },
    where: { OR: [{ AND: named }, ...(number === null ? [] : [{ number }])] },
    orderBy: { number: 'desc' },
    take: first,
  });
  return rows.map(({ id }) => id);
}

/** Prisma hands patterns on as they are. */
function literal(word: string): string {
  return databaseText(word).replaceAll(/[\\%_]/g, '\\$&');
}
