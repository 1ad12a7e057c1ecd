import { z } from 'zod';
import { connectionsOf, type Database } from '#src/base/platform/postgres/database.ts';
import { float8Array, int4Array, int8Array } from '#src/base/database/binaryArray.ts';
import { type NewBlocks, partBlocks } from './pointBlocks.ts';
import type { NewPoints } from './pointColumns.ts';

/** What the program of an external run reports in one call. */
export interface PointCall {
  /** A UUID. */
  runId: string;
  points: NewPoints;
}

const loggedRow = z.object({
  /** Which call, from 1. */
  call: z.int(),
  /** How many points were new. */
  inserted: z.int(),
  sweepId: z.string().nullable(),
  sweepTrial: z.int().nullable(),
});
export type LoggedPoints = z.infer<typeof loggedRow>;

const STATEMENT = {
  name: 'log-points',
  text: `SELECT call, inserted, sweep AS "sweepId", sweep_trial AS "sweepTrial" FROM log_points($1::uuid[], $2::int4[], $3::text[],
    $4::int4[], $5::int8[], $6::float8[], $7::int8[], $8::int4[], $9::int4[], $10::int8[], $11::int8[], $12::int8[], $13::float8[],
    $14::float8[], $15::float8[], $16::int8[], $17::int8[], $18::int8[], $19::float8[], $20::int4[])`,
};

/**
 * Writes points of external runs that are under way, each run in one of the calls, in one statement: renews the leases of the
 * runs, notifies those who follow them, and brings the summaries of the series up to date. Many points that come after all
 * others of their series are written as blocks. A point that is there already stays as it is.
 * @returns what was written of each call, or null for one that was left alone because it needs more: its run does not run, is
 * locked, or lacks one of the metrics, or many points come late.
 */
export async function logPoints(database: Database, calls: readonly PointCall[]): Promise<(LoggedPoints | null)[]> {
  const { rows } = await connectionsOf(database).query({ ...STATEMENT, values: parameters(calls) });
  const logged = new Map(
    z
      .array(loggedRow)
      .parse(rows)
      .map((row) => [row.call, row]),
  );
  return calls.map((_, index) => logged.get(index + 1) ?? null);
}

function parameters(calls: readonly PointCall[]): unknown[] {
  const names: string[] = [];
  const callOfName: number[] = [];
  const parts: { before: number; loose: NewPoints; blocks: NewBlocks }[] = [];
  calls.forEach(({ points }, index) => {
    parts.push({ before: names.length, ...partBlocks(points) });
    for (const name of points.names) {
      names.push(name);
      callOfName.push(index + 1);
    }
  });
  const loose = (key: 'steps' | 'values' | 'times') => together(parts.map((part) => part.loose[key]));
  const block = (key: Exclude<keyof NewBlocks, 'series'>) => together(parts.map(({ blocks }) => blocks[key]));
  const series = (of: 'loose' | 'blocks') =>
    together(
      parts.map((part) => (part.before === 0 ? part[of].series : part[of].series.map((one) => one + part.before))),
    );
  return [
    ...[calls.map(({ runId }) => runId), int4Array(callOfName), names],
    ...[int4Array(series('loose')), int8Array(loose('steps')), float8Array(loose('values')), int8Array(loose('times'))],
    ...[int4Array(series('blocks')), int4Array(block('points')), int8Array(block('firstSteps'))],
    ...[int8Array(block('lastSteps')), int8Array(block('strides')), float8Array(block('minima'))],
    ...[float8Array(block('maxima')), float8Array(block('lastValues')), int8Array(block('firstTimes'))],
    ...[
      int8Array(block('lastTimes')),
      int8Array(block('steps')),
      float8Array(block('values')),
      int4Array(block('times')),
    ],
  ];
}

function together(columns: readonly (readonly number[])[]): readonly number[] {
  return columns.length === 1 ? columns[0]! : columns.flat();
}
