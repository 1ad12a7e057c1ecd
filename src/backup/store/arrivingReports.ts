import type pg from 'pg';
import { z } from 'zod';
import { renumberReport } from '#src/base/contracts/report/renumberReport.ts';
import { quoted } from '#src/base/database/tableCopies.ts';

const numberRow = z.object({ before: z.number(), now: z.number() });
const versionRow = z.object({ reportId: z.string(), version: z.number(), text: z.string() });

/**
 * Gives the runs that reports name the numbers that they have here, in the reports that have just come. The current schema is
 * that of the rows that arrive, `home` where they went.
 */
export async function renumberArrivedReports(client: pg.Client, home: string): Promise<void> {
  const { rows: runs } = await client.query(
    `SELECT source.number AS before, target.number AS now FROM run source JOIN ${quoted(home)}.run target USING (id)`,
  );
  const numbers = new Map(
    z
      .array(numberRow)
      .parse(runs)
      .map(({ before, now }) => [before, now]),
  );
  const { rows } = await client.query(
    `SELECT report_id::text AS "reportId", version, text FROM report_version
     WHERE report_id IN (SELECT id FROM arriving_report)`,
  );
  for (const { reportId, version, text } of z.array(versionRow).parse(rows)) {
    const renumbered = renumberReport(text, numbers);
    if (renumbered === text) continue;
    await client.query(`UPDATE ${quoted(home)}.report_version SET text = $3 WHERE report_id = $1 AND version = $2`, [
      reportId,
      version,
      renumbered,
    ]);
  }
}
