import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What W&B's client notes about the machine; other members are of no interest here. */
const metadata = z.object({
  username: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
});
const MOST_BYTES = 1_000_000;

/** Who started an offline run, from the `files` of its folder: the user's name, else the address; null where neither is told. */
export function userOfWandb(files: string): string | null {
  try {
    const path = join(files, 'wandb-metadata.json');
    const facts = statSync(path);
    if (!facts.isFile() || facts.size > MOST_BYTES) return null;
    const { username, email } = metadata.parse(JSON.parse(readFileSync(path, 'utf8')));
    return username?.trim() || email?.trim() || null;
  } catch {
    // Runs without the file, or with a torn one, are imported all the same.
    return null;
  }
}
