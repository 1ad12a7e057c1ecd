import { copyFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Run } from '../core/run.ts';
import type { Journal } from './journal.ts';

/** A run of a Node program. */
export interface NodeRun extends Run {
  /** Aborted when the server has ended the run: it was cancelled, or its sweep stopped it early. */
  readonly signal: AbortSignal;
  /** Keeps a file, or every file of a folder, with the run. The bytes are copied before the call returns. */
  logArtifact(path: string, name?: string, mediaType?: string): void;
}

/** A run, and what only its program is told. */
export interface StartedRun {
  run: NodeRun;
  /** How the server has ended the run; null where it has not. */
  stopped(): 'CANCELLED' | 'PRUNED' | null;
}

/** A run whose files are kept beside its journal. */
export function nodeRun(run: Run, journal: Journal | null, signal: AbortSignal): NodeRun {
  const logArtifact: NodeRun['logArtifact'] = (path, name = basename(path), mediaType = 'application/octet-stream') => {
    run.tellEnded('logArtifact');
    if (run.ended || journal === null) return;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new Error(`logArtifact: there is no file ${path}`);
    if (found.isDirectory()) {
      for (const entry of readdirSync(path).sort()) logArtifact(join(path, entry), `${name}/${entry}`, mediaType);
      return;
    }
    const kept = journal.keep(new Uint8Array(0));
    copyFileSync(path, join(dirname(journal.path), kept));
    journal.append(['artifact', name, kept, mediaType]);
  };
  // what is read of the run stays the run's own
  return Object.assign(run, { signal, logArtifact });
}
