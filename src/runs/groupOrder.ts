import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { parseDatabaseJson } from '#src/base/database/databaseText.ts';
import { AGGREGATES, type Aggregate, type GroupOrder, type GroupPosition } from '#src/runs/store/runGroups.ts';
import type { SummedMetric } from './grouping.ts';

export type GroupOrderBy = 'runs' | 'group' | Aggregate;

export interface GroupOrderInput {
  by: GroupOrderBy;
  /** Which of the metrics an aggregate is of, from 0. */
  metric?: number | undefined;
  direction?: 'ASC' | 'DESC' | undefined;
}

/** @throws WarrenError BAD_INPUT for an aggregate of a metric that is not asked for. */
export function parseGroupOrder(input: GroupOrderInput | null, metrics: readonly SummedMetric[]): GroupOrder {
  if (input === null) {
    if (metrics.length === 0) return { by: 'runs', value: 0, descending: true };
    return { by: 'mean', value: 0, descending: metrics[0]!.direction !== 'lower' };
  }
  const descending = (input.direction ?? 'DESC') === 'DESC';
  if (input.by === 'runs') return { by: 'runs', value: 0, descending };
  if (input.by === 'group') return { by: 'key', value: 0, descending };
  const value = input.metric ?? 0;
  if (!AGGREGATES.includes(input.by) || metrics[value] === undefined) {
    const message = `orderBy.metric: there is no metric ${value}; metrics has ${metrics.length}, counted from 0`;
    throw badInput(message, 'orderBy.metric');
  }
  return { by: input.by, value, descending };
}

const number = z.union([
  z.literal(['Infinity', '-Infinity']),
  z.string().refine((text) => text.trim() !== '' && Number.isFinite(Number(text))),
]);
const cursorSchema = z.strictObject({ o: z.string(), p: number.nullable(), k: z.string() });

/** An opaque cursor. @param order Names the order and the grouping, so that the cursor is refused in others. */
export function encodeGroupPosition(order: string, { place, key }: GroupPosition): string {
  return Buffer.from(JSON.stringify({ o: order, p: place, k: key })).toString('base64url');
}

/** @throws WarrenError BAD_INPUT when the cursor is none, or belongs to another order or grouping. */
export function decodeGroupPosition(cursor: string, order: string): GroupPosition {
  const parsed = cursorSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success || !Array.isArray(parseDatabaseJson(parsed.data.k))) {
    throw badInput(`after: "${cursor.slice(0, 40)}" is not a cursor; give the endCursor of an earlier page`, 'after');
  }
  if (parsed.data.o !== order) {
    throw badInput('after: this cursor belongs to a page in another order; start again without it', 'after');
  }
  return { place: parsed.data.p, key: parsed.data.k };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
