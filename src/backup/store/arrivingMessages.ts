import type pg from 'pg';
import { z } from 'zod';
import { quoted } from '#src/base/database/tableCopies.ts';

/** Messages of Warren's own that name another run by its number, as SQL; what programs say is left alone. */
const NAMES_RUN = String.raw`^(Forked from run \d+ after step |(Failed: )?input ".*": run \d+ has no artifact |(Failed: )?input ".*" needs ".*" of run \d+, which )`;
const RUN_NUMBER =
  /^(Forked from run |(?:Failed: )?input ".*?": run |(?:Failed: )?input ".*?" needs ".*?" of run )(\d+)/;

const PLACES = [
  { table: 'run_event', column: 'message', run: 'run_id' },
  { table: 'attempt', column: 'error_message', run: 'run_id' },
  { table: 'run', column: 'error_message', run: 'id' },
] as const;

const numberRow = z.object({ before: z.number(), now: z.number() });
const messageRow = z.object({ row: z.string(), message: z.string() });

/**
 * Gives the runs that the history of arrived runs names the numbers that they have here; of one that is not here it says that
 * the number is the source server's. The current schema is that of the rows that arrive, `home` where they went.
 */
export async function renumberArrivedMessages(client: pg.Client, home: string): Promise<void> {
  const here = quoted(home);
  const { rows: runs } = await client.query(
    `SELECT source.number AS before, target.number AS now FROM run source JOIN ${here}.run target USING (id)`,
  );
  const known = z.array(numberRow).parse(runs);
  const numbers = new Map(known.map(({ before, now }) => [String(before), String(now)]));
  // nobody else sees these rows yet: they stay where they are until they are changed here
  for (const { table, column, run } of PLACES) {
    const { rows } = await client.query(
      `SELECT ctid::text AS row, ${column} AS message FROM ${here}.${table}
       WHERE ${run} IN (SELECT id FROM arriving_run) AND ${column} ~ $1`,
      [NAMES_RUN],
    );
    const changed = z
      .array(messageRow)
      .parse(rows)
      .map(({ row, message }) => ({ row, message: renumbered(message, numbers) }));
    await client.query(
      `UPDATE ${here}.${table} changed SET ${column} = new.message
       FROM unnest($1::tid[], $2::text[]) AS new (place, message) WHERE changed.ctid = new.place`,
      [changed.map(({ row }) => row), changed.map(({ message }) => message)],
    );
  }
}

function renumbered(message: string, numbers: ReadonlyMap<string, string>): string {
  return message.replace(
    RUN_NUMBER,
    (_whole, words: string, number: string) => `${words}${numbers.get(number) ?? `${number} of the source server`}`,
  );
}
