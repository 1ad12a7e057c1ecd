import type { Connection } from '#src/store/database/connection.ts';
import { findConfigurations } from '#src/store/runs/configurationRecord.ts';
import { listUsedHashes } from '#src/store/search/configurationColumns.ts';
import { flattenConfiguration } from './flattenConfiguration.ts';

/** Paths of each configuration that was read, by its hash: what a hash names never changes. Equal lists are one object. */
const pathsOf = new Map<string, readonly string[]>();
const lists = new Map<string, readonly string[]>();
const MOST_KNOWN = 50_000;

/** Paths such as `dataset.name` and `parameters.sigmaW` in the newest configurations, at most `limit`, that runs of a project use. */
export async function configurationPaths(
  connection: Connection,
  projectId: string | null,
  limit: number,
): Promise<string[]> {
  const hashes = await listUsedHashes(connection, projectId, limit);
  if (pathsOf.size > MOST_KNOWN) {
    pathsOf.clear();
    lists.clear();
  }
  const unknown = hashes.filter((hash) => !pathsOf.has(hash));
  for (const configuration of await findConfigurations(connection, unknown)) {
    const paths = [...flattenConfiguration(configuration).keys()];
    const text = JSON.stringify(paths);
    const known = lists.get(text) ?? paths;
    lists.set(text, known);
    pathsOf.set(configuration.hash, known);
  }
  const different = new Set(hashes.map((hash) => pathsOf.get(hash) ?? []));
  return [...new Set([...different].flat())].sort();
}
