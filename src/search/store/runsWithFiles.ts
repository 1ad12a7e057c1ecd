import { Prisma } from '#src/generated/prisma/client.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from '#src/runs/store/runRecord.ts';
import { hasWords } from './textSearch.ts';

export interface FileSearch {
  /** How the name of a file ends. */
  ending: string;
  /** Names of files that do not count. */
  apart: readonly string[];
  /** All of them in the run's name, tags or project. */
  words: readonly string[];
  /** Or the run with this number. */
  number: number | null;
  /** Only runs with a smaller number. */
  before: number | null;
  first: number;
}

/** Runs that left a file whose name ends so, the newest first; not those in the trash. */
export async function findRunsWithFiles(
  connection: Connection,
  { ending, apart, words, number, before, first }: FileSearch,
): Promise<RunRecord[]> {
  const text = Prisma.sql`run.name || ' ' || array_to_string(run.tags, ' ') || ' ' ||
    (SELECT project.name FROM project WHERE project.id = run.project_id)`;
  const meant = words.length === 0 ? Prisma.sql`true` : hasWords(text, words);
  // `OFFSET 0` keeps PostgreSQL from reading all files for a join
  return await queryRows(connection, runRow)`
    SELECT ${RUN_COLUMNS} FROM run
    WHERE run.deleted_at IS NULL AND (${before}::int IS NULL OR run.number < ${before}::int)
      AND (run.number = ${number}::int OR ${meant})
      AND EXISTS (SELECT FROM artifact WHERE artifact.run_id = run.id
        AND starts_with(reverse(artifact.name), reverse(${databaseText(ending)}::text))
        AND artifact.name <> ALL(${[...apart]}::text[]) OFFSET 0)
    ORDER BY run.number DESC LIMIT ${first}::int`;
}
