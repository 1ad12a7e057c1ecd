import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { openArtifactStore } from '#src/base/platform/artifacts/openArtifactStore.ts';
import { rememberedPlace } from '#src/base/platform/artifacts/rememberedPlace.ts';
import { startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import { claimInstance, readInstance } from '#src/base/platform/instance.ts';
import { createLogger } from '#src/base/platform/logger.ts';
import { makePrivateHome } from '#src/base/platform/privateHome.ts';
import { findServices } from './findServices.ts';

export interface OpenHome {
  databaseUrl: string;
  artifacts: ArtifactStore;
  close(): Promise<void>;
}

/**
 * Database and artifacts of a home: those of DATABASE_URL, those of the `warren up` that runs in it, else the embedded
 * database, which is started until `close`. The artifacts are where WARREN_ARTIFACTS says, else where the API of this home has kept
 * them, else in the home.
 * @param options.exclusive Whether a running Warren is refused.
 * @throws WarrenError CONFLICT when one runs, NOT_FOUND when there is no database and none may be made.
 */
export async function openHome(environment: Environment, options: { exclusive: boolean }): Promise<OpenHome> {
  const { home, logLevel } = environment;
  makePrivateHome(home);
  const remembered = environment.artifactsGiven ? null : rememberedPlace(home);
  const artifacts = await openArtifactStore(remembered ?? environment.artifacts);
  const running = await readInstance(home);
  if (running !== null && options.exclusive) {
    const message = `Warren runs in ${home} (process ${running.pid}); stop it with Ctrl-C there, then restore`;
    throw new WarrenError('CONFLICT', message);
  }
  const services = await findServices(environment);
  if (services !== null) return { databaseUrl: services.databaseUrl, artifacts, close: async () => {} };
  if (!options.exclusive && !existsSync(join(home, 'postgres.json'))) {
    throw new WarrenError(
      'NOT_FOUND',
      `${home} has no database; set WARREN_HOME or DATABASE_URL to what is to be saved`,
    );
  }
  const claim = await claimInstance(home);
  try {
    const server = await startEmbeddedPostgres({ home, log: createLogger('postgres', logLevel) });
    const close = async () => {
      await server.stop();
      await claim.release();
    };
    return { databaseUrl: server.url, artifacts, close };
  } catch (thrown) {
    await claim.release();
    throw thrown;
  }
}
