import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { mediaTypeOf } from '../core/mediaTypes.ts';
import type { Run } from '../core/run.ts';
import { plainText } from '../core/values.ts';
import { warn } from '../core/warn.ts';
import type { Journal } from './journal.ts';

/** What is said of a registered version. */
export interface VersionOptions {
  /** Names that point to it from now on; `latest` always is the newest version. */
  aliases?: string | readonly string[];
  /** What it is: a model unless given. */
  type?: 'model' | 'dataset';
  description?: string;
  tags?: Readonly<Record<string, unknown>>;
}

/** How a file or folder is kept. */
export interface ArtifactOptions extends VersionOptions {
  /** Of the file or folder in the run; that of the path unless given. */
  name?: string;
  /** By the name's end unless given. */
  mediaType?: string;
  /** A name under which it becomes the next version of a model or dataset; true: its own. `aliases` alone register it, too. */
  register?: string | boolean;
}

/** A run of a Node program. */
export interface NodeRun extends Run {
  /** Aborted when the server has ended the run: it was cancelled, or its sweep stopped it early. */
  readonly signal: AbortSignal;
  /** Keeps a file, or every file of a folder, with the run. The bytes are copied before the call returns. */
  logArtifact(path: string, name?: string | ArtifactOptions, mediaType?: string): void;
  /** Registers an artifact of the run, or a folder of artifacts, as the next version of a model or dataset. */
  registerModel(name: string, artifact: string, options?: VersionOptions): void;
}

/** A run, and what only its program is told. */
export interface StartedRun {
  run: NodeRun;
  /** How the server has ended the run; null where it has not. */
  stopped(): 'CANCELLED' | 'PRUNED' | null;
}

/** The name of a file as every server takes it: control characters and backslashes are others. */
function fileName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
  return plainText(name).replaceAll(/[\u0000-\u001f\u007f\\]/g, '_');
}

/** A run whose files are kept beside its journal; null: nothing is recorded. */
export function nodeRun(run: Run, journal: Journal | null, signal: AbortSignal): NodeRun {
  const isOver = (call: string): boolean => {
    run.tellEnded(call);
    return run.ended || journal === null;
  };

  const keep = (path: string, name: string, mediaType: string | undefined): void => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
      for (const entry of readdirSync(path).sort()) keep(join(path, entry), `${name}/${entry}`, mediaType);
    } else if (found?.isFile()) {
      const kept = journal?.keep(`the file ${name}`, { copyOf: path }) ?? null;
      if (kept !== null) journal?.append(['artifact', fileName(name), kept, mediaType ?? mediaTypeOf(name)]);
    } else warn(`logArtifact: ${path} is no file, and left out`);
  };

  const registerModel: NodeRun['registerModel'] = (name, artifact, options = {}) => {
    if (isOver('registerModel')) return;
    const { aliases = [], type, description = '', tags = {} } = options;
    const given = typeof aliases === 'string' ? [aliases] : aliases;
    const version = {
      name,
      artifactName: artifact,
      aliases: given.filter((alias) => alias !== 'latest'),
      description,
      tags: Object.entries(tags).map(([key, value]) => ({ key, value: String(value) })),
    };
    journal?.append(['register', type === undefined ? version : { ...version, type }]);
  };

  const logArtifact: NodeRun['logArtifact'] = (path, named, type) => {
    if (isOver('logArtifact')) return;
    const options: ArtifactOptions = typeof named === 'object' ? named : {};
    const { register = options.aliases !== undefined, mediaType = type, name = basename(resolve(path)) } = options;
    const kept = typeof named === 'string' ? named : name;
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      throw new Error(`logArtifact: there is no file ${path}`);
    }
    keep(path, kept, mediaType);
    if (register !== false) registerModel(typeof register === 'string' ? register : basename(kept), kept, options);
  };
  // what is read of the run stays the run's own
  return Object.assign(run, { signal, logArtifact, registerModel });
}
