import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

/**
 * Reference values computed independently of this code, checked against `schema`. They are read from the folder
 * WARREN_ORACLES, or from the one that this file is in; its README says how each file was made.
 */
export function oracleFile<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  const folder = process.env.WARREN_ORACLES ?? join(projectRoot(), 'test', 'oracles');
  return schema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
