import type { ArtifactStore } from './artifactStore.ts';
import { openFolderStore } from './folderStore.ts';
import type { StorePlace } from './storePlace.ts';

/**
 * Opens the store at a place. A folder is made when it is missing; a bucket must be there. Several processes may use it at once.
 * @param onDamage Told the sha256 of content that was found damaged and set aside.
 * @throws WarrenError BAD_INPUT where the bucket is not there or refuses the keys, UNAVAILABLE where it does not answer.
 */
export async function openArtifactStore(
  place: StorePlace,
  onDamage: (sha256: string) => void = () => {},
): Promise<ArtifactStore> {
  if (typeof place === 'string') return await openFolderStore(place, onDamage);
  // its library is large: only those who use it load it
  return await (await import('./s3/s3Store.ts')).openS3Store(place, onDamage);
}
