import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../files/privateFile.ts';
import { placeText, type StorePlace } from './storePlace.ts';

// The keys of a bucket are not written down.
const bucketSchema = z.object({
  bucket: z.string(),
  prefix: z.string(),
  endpoint: z.string().nullable(),
  region: z.string(),
});
const placeSchema = z.union([z.string(), bucketSchema]);

const fileOf = (home: string): string => join(home, 'artifact-store.json');

/** Where the API of a home kept its artifacts when it was last started; null: in the home itself, or it was never started. */
export function rememberedPlace(home: string): StorePlace | null {
  try {
    return placeSchema.parse(JSON.parse(readFileSync(fileOf(home), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Writes down where the API of a home keeps its artifacts, so that a backup made without the API's variables finds them. A home
 * that has them itself may be moved: nothing is written then.
 * @returns where they were until now, in words, when that was elsewhere; else null.
 */
export function rememberPlace(home: string, place: StorePlace): string | null {
  const own = join(home, 'artifacts');
  const before = rememberedPlace(home);
  if (place === own) rmSync(fileOf(home), { force: true });
  else writePrivateFile(fileOf(home), `${JSON.stringify(place, null, 2)}\n`);
  return before === null || placeText(before) === placeText(place) ? null : placeText(before);
}
