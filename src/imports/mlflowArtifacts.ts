import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const RUN_ID = /^[0-9a-f]{32}$/i;

/** What is read of a source of MLflow's. */
export interface MlflowOptions {
  project: string;
  experiment?: string | undefined;
  /** The folder in which files of runs may lie; unless given, that of the source. */
  artifacts?: string | undefined;
  /** Also runs that MLflow has deleted, with a tag that says so. */
  deleted?: boolean | undefined;
  /** Is told what is left out, once all is read. */
  onLeftOut?: ((text: string) => void) | undefined;
}

/** Where the files of runs may lie. */
export interface ArtifactsPlace {
  /** The folder of the database or of the file store: what is relative starts here. */
  home: string;
  /** The folder that the user named; null: `home`, as far as a place looks like MLflow's. */
  allowed: string | null;
}

/**
 * The folder with the files of a run, or why they are not read; null where it has none. A source is not taken at its word: a
 * database that somebody else made could name any folder of this machine, and its files would go to the server.
 * @param uri What the source says: a path, or a `file:` address.
 */
export function artifactsFolder(
  uri: string,
  runId: string,
  { home, allowed }: ArtifactsPlace,
): { folder: string } | { warning: string } | null {
  if (/^\w[\w+.-]+:/.test(uri) && !uri.startsWith('file:')) return { warning: `files at ${uri} are not read` };
  const folder = localPath(uri, [home, ...(allowed === null ? [] : [allowed])]);
  if (folder === null) return { warning: `files at ${uri} are not read: this is no place on this machine` };
  if (!existsSync(folder)) {
    // MLflow makes these folders with the first file: where they lie with the source, there never was one
    const experiment = dirname(dirname(folder));
    return existsSync(experiment) || isWithin(folder, resolve(allowed ?? home))
      ? null
      : { warning: `there is no ${experiment}: files of its runs are not read` };
  }
  const real = realpathSync(folder);
  const usual = RUN_ID.test(runId) && [basename(real), basename(dirname(real))].includes(runId);
  // one warning for all runs of an experiment
  const named = usual ? dirname(dirname(folder)) : folder;
  const refused = (why: string) => ({
    warning: `files in ${named} are not read: ${why}; --artifacts FOLDER allows it`,
  });
  if (!isWithin(real, realpathSync(allowed ?? home))) return refused(`they lie outside ${allowed ?? home}`);
  if (allowed === null && !usual) return refused('MLflow keeps them in a folder with the id of the run');
  return { folder: real };
}

/** A relative place is looked for in each of the folders; where it is in none, it is that of the first. */
function localPath(uri: string, folders: readonly string[]): string | null {
  if (!uri.startsWith('file:')) {
    const paths = folders.map((folder) => resolve(folder, uri));
    return paths.find((path) => existsSync(path)) ?? paths[0] ?? null;
  }
  try {
    return fileURLToPath(uri);
  } catch {
    return null;
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path);
}
