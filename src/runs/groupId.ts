import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';
import { parseGroupField } from '#src/base/contracts/runFilter/groupField.ts';
import { printField } from '#src/base/contracts/runFilter/print.ts';
import { parseDatabaseJson } from '#src/base/database/databaseText.ts';
import type { RunGroupKey } from '#src/runs/store/runGroupKey.ts';

/** Neither a run's number nor its id begins so. */
const PREFIX = 'g_';
const idSchema = z.strictObject({ f: z.array(z.string()).min(1).max(20), k: z.string() });

/** What names a group in the API: its fields and their values, so that it means the same later and elsewhere. */
export function encodeGroupId({ fields, key }: RunGroupKey): string {
  const text = JSON.stringify({ f: fields.map(printField), k: key });
  return `${PREFIX}${Buffer.from(text).toString('base64url')}`;
}

export function isGroupId(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** @param path Of the argument, for messages. @throws WarrenError BAD_INPUT for a text that names no group. */
export function decodeGroupId(id: string, path: string): RunGroupKey {
  const parsed = idSchema.safeParse(parseJson(Buffer.from(id.slice(PREFIX.length), 'base64url').toString()));
  const values = parsed.success ? parseDatabaseJson(parsed.data.k) : null;
  if (!isGroupId(id) || !parsed.success || !Array.isArray(values) || values.length !== parsed.data.f.length) {
    throw badInput(`${path}: "${id.slice(0, 40)}" is not a group; give the id of one that runGroups returned`, path);
  }
  return { fields: parsed.data.f.map((field) => parseGroupField(field, path)), key: parsed.data.k };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
