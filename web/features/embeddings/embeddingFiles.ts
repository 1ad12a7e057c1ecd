/** Files that may be embeddings, those that say so first. */
export function embeddingFiles<File extends { name: string }>(files: readonly File[]): File[] {
  const tables = files.filter(({ name }) => isEmbeddingFile(name));
  const rank = ({ name }: File) => (/item-embeddings\.npy$/.test(name) ? 0 : /embedding/.test(name) ? 1 : 2);
  return [...tables].sort((a, b) => rank(a) - rank(b));
}

/** Whether a file may be an embedding by its name: the tables over users that ranking runs leave are none. */
export function isEmbeddingFile(name: string): boolean {
  return name.endsWith('.npy') && !/(^|\/)per-user-(ranks|metrics)\.npy$/.test(name);
}

/** The file that is wanted, or without a wish the first. A wish that is not there falls to the first of a comparison. */
export function embeddingFile<File extends { name: string }>(
  files: readonly File[],
  wanted: string | undefined,
): File | null {
  const all = embeddingFiles(files);
  return (wanted === undefined ? all[0] : all.find(({ name }) => name === wanted)) ?? null;
}

/** The file that tells of the items: the one that is wanted, else one whose name says so, or users for embeddings of users. */
export function itemFileOf<File extends { name: string }>(
  files: readonly File[],
  wanted: string | undefined,
  artifact = '',
): File | null {
  if (wanted === 'none') return null;
  const side = /(^|[/_-])user/i.test(artifact) ? /(^|[/_-])users?[._-]/i : /(^|[/_-])items?[._-]/i;
  return files.find(({ name }) => name === wanted) ?? files.find(({ name }) => side.test(name)) ?? null;
}

interface RunData {
  dataset: string | null;
  fingerprint: string | null;
}

/**
 * Why rows of the same number, or of the same id, may be different items in two runs; null where nothing speaks for it.
 * @param by What tells which rows belong together.
 */
export function whyDifferentItems(a: RunData, b: RunData, by: 'number' | 'id'): string | null {
  if (a.dataset !== b.dataset) {
    return `The runs used different data (${a.dataset ?? 'none'}, ${b.dataset ?? 'none'}): ${by === 'id' ? 'the same id' : 'rows of the same number'} need not be the same item.`;
  }
  if (by === 'id') return null;
  if (a.fingerprint !== null && b.fingerprint !== null && a.fingerprint !== b.fingerprint) {
    return `${a.dataset ?? 'The data'} changed between the runs: rows of the same number need not be the same item.`;
  }
  return null;
}
