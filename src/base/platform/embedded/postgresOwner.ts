import { chownSync, existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { folderIdentity } from '../files/folderIdentity.ts';
import type { PostgresAccount } from './postgresAccount.ts';
import { readClusterRecord } from './postgresRecord.ts';
import { writePrivateFile } from '../files/privateFile.ts';

const ownerSchema = z.object({
  /** Path of the home when its server was started last. */
  home: z.string(),
  /** Its `folderIdentity`. */
  folder: z.string(),
});

/** In a data folder outside of its home: which home that is. */
function ownerPath(dataFolder: string): string {
  return join(dataFolder, 'warren-home.json');
}

/** Writes into a data folder outside of its home which home that is. */
export function writeOwner(home: string, dataFolder: string, account: PostgresAccount): void {
  const owner = { home: realpathSync(home), folder: folderIdentity(home) };
  writePrivateFile(ownerPath(dataFolder), `${JSON.stringify(owner)}\n`);
  if (account !== null) chownSync(ownerPath(dataFolder), account.uid, account.gid);
}

/**
 * The home that a data folder outside of `home` belongs to, when that is another one: `home` is then a copy of it. Null
 * when it belongs to `home`, which may have been moved since.
 */
export function ownerElsewhere(home: string, dataFolder: string): string | null {
  const owner = readOwner(dataFolder);
  if (owner === null || owner.folder === folderIdentity(home) || owner.home === realpathSync(home)) return null;
  const original = existsSync(owner.home) ? readClusterRecord(owner.home) : null;
  const isIts = original !== null && original !== 'damaged' && original.dataFolder === dataFolder;
  return isIts && folderIdentity(owner.home) !== folderIdentity(home) ? owner.home : null;
}

/** Whether a data folder was last used by the very folder that is `home` now. */
export function isOwnedBy(home: string, dataFolder: string): boolean {
  return readOwner(dataFolder)?.folder === folderIdentity(home);
}

function readOwner(dataFolder: string): z.infer<typeof ownerSchema> | null {
  try {
    return ownerSchema.parse(JSON.parse(readFileSync(ownerPath(dataFolder), 'utf8')));
  } catch {
    return null; // an earlier version made it, or its home lies around it
  }
}
