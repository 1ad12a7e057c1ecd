import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folder in which each database that uses an artifact store has a file with its identity as name. */
export function ownersFolder(storeFolder: string): string {
  return join(storeFolder, 'owners');
}

/** The identities of the databases that use the store. */
export async function listStoreOwners(storeFolder: string): Promise<string[]> {
  await mkdir(ownersFolder(storeFolder), { recursive: true });
  return (await readdir(ownersFolder(storeFolder))).filter((name) => UUID.test(name));
}

/** Writes down that a database uses the store. */
export async function addStoreOwner(storeFolder: string, identity: string): Promise<void> {
  const note = 'The artifacts here belong to the Warren database of this name: see `warren doctor`.\n';
  await writeFile(join(ownersFolder(storeFolder), identity), note);
}

/** Writes down that a database uses the store no more; nothing happens where it was not known. */
export async function removeStoreOwner(storeFolder: string, identity: string): Promise<void> {
  await rm(join(ownersFolder(storeFolder), identity), { force: true });
}
