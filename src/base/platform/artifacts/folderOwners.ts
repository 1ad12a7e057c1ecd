import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreOwners } from './artifactStore.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What stands in the file of an owner, for whoever finds it. */
export const OWNER_NOTE = 'The artifacts here belong to the Warren database of this name: see `warren doctor`.\n';

/** Whether a name below `owners` is the identity of a database. */
export function isOwner(name: string): boolean {
  return UUID.test(name);
}

/** The databases that use the store in a folder. */
export function folderOwners(storeFolder: string): StoreOwners {
  const place = join(storeFolder, 'owners');
  return {
    place,
    async list() {
      await mkdir(place, { recursive: true });
      return (await readdir(place)).filter(isOwner);
    },
    add: (identity) => writeFile(join(place, identity), OWNER_NOTE),
    remove: (identity) => rm(join(place, identity), { force: true }),
  };
}
