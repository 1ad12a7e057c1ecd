import { readFileSync } from 'node:fs';
import { z } from 'zod';

const proofs = z
  .record(z.string(), z.object({ what: z.string(), files: z.array(z.string()) }))
  .parse(JSON.parse(readFileSync(new URL('proofs.json', import.meta.url), 'utf8')));

/** WARREN_PROVE, comma-separated: what is proved at full size in this run of the tests, by `npm run -s prove -- NAME`. */
const asked = (process.env.WARREN_PROVE ?? '').split(',').filter((name) => name !== '');

/** The size of a test that `npm test` makes small: `full` where its proof is asked for. */
export function sizeFor<Size>(name: string, { small, full }: { small: Size; full: Size }): Size {
  if (proofs[name] === undefined) throw new Error(`${name} is not in test/config/proofs.json`);
  return asked.includes(name) ? full : small;
}

/** The files with the tests that are asked for at full size; empty in a usual run. */
export const PROVED_FILES: readonly string[] = asked.flatMap((name) => proofs[name]?.files ?? []);
