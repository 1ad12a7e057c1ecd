import { checkedDigest } from '../artifactFiles.ts';

// The layout of a bucket is that of a folder, so that either can be copied into the other as it is.

const SHA256 = /^[0-9a-f]{64}$/;

/** Where content is. @throws WarrenError BAD_INPUT for a name that is no sha256. */
export function contentKey(sha256: string): string {
  return `${sha256.slice(0, 2)}/${checkedDigest(sha256)}`;
}

/** Where damaged content is kept for a person to look at. */
export function damagedKey(sha256: string): string {
  return `damaged/${checkedDigest(sha256)}`;
}

/** Where an upload is until its sha256 is known. */
export function incomingKey(name: string): string {
  return `incoming/${name}`;
}

export function ownerKey(identity: string): string {
  return `owners/${identity}`;
}

/** What a key holds. */
export type KeyMeaning =
  | { is: 'content' | 'damaged'; sha256: string }
  | { is: 'incoming' | 'owner'; name: string }
  | { is: 'foreign' };

/** What stands under a key below the store's prefix. */
export function keyMeaning(key: string): KeyMeaning {
  const [folder = '', name = '', more] = key.split('/');
  if (more !== undefined || name === '') return { is: 'foreign' };
  if (folder === 'incoming') return { is: 'incoming', name };
  if (folder === 'owners') return { is: 'owner', name };
  if (!SHA256.test(name)) return { is: 'foreign' };
  if (folder === 'damaged') return { is: 'damaged', sha256: name };
  return folder === name.slice(0, 2) ? { is: 'content', sha256: name } : { is: 'foreign' };
}
