import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import type { MlflowOptions } from './mlflowArtifacts.ts';
import type { SourceRuns } from './source.ts';

/** The runs of what MLflow keeps: a folder `mlruns`, or one with it; a SQLite database; or the address of a server. */
export async function* mlflowRuns(source: string, options: MlflowOptions): SourceRuns {
  if (/^https?:\/\//.test(source)) {
    const { mlflowServerRuns } = await import('./mlflowServer.ts');
    return yield* mlflowServerRuns(source, options);
  }
  const { artifacts } = options;
  if (artifacts !== undefined && !existsSync(artifacts)) {
    throw badInput(`${artifacts}: there is no such folder`, '--artifacts');
  }
  const path = source.replace(/^(?:sqlite:\/\/\/|file:\/\/)/, '');
  if (!existsSync(path)) throw badInput(`${source}: there is no such file or folder`, 'source');
  if (!statSync(path).isDirectory()) {
    const { mlflowDatabaseRuns } = await import('./mlflowDatabase.ts');
    return yield* mlflowDatabaseRuns(path, options);
  }
  const { mlflowFileRuns } = await import('./mlflowFiles.ts');
  const inside = join(path, 'mlruns');
  yield* mlflowFileRuns(existsSync(inside) ? inside : path, options);
}
