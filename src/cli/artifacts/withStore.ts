import type { ArtifactStore } from '#src/platform/artifacts/artifactStore.ts';
import { closeDatabase, type Database, openDatabase } from '#src/platform/postgres/database.ts';
import type { CommandContext } from '../commandContext.ts';

export interface OpenStore {
  db: Database;
  artifacts: ArtifactStore;
  signal: AbortSignal;
}

/** Does something with the database and the artifacts of this home, as they are named by the environment. */
export async function withStore(context: CommandContext, work: (open: OpenStore) => Promise<void>): Promise<void> {
  const { openHome } = await import('../backup/openHome.ts');
  const { untilInterrupted } = await import('../backup/untilInterrupted.ts');
  await untilInterrupted(async (signal) => {
    const home = await openHome(context.environment(), { exclusive: false });
    try {
      const db = openDatabase(home.databaseUrl, { poolSize: 4 });
      try {
        await work({ db, artifacts: home.artifacts, signal });
      } finally {
        await closeDatabase(db);
      }
    } finally {
      await home.close();
    }
  });
}
