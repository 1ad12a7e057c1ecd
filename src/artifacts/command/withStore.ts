import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { migrationStatus } from '#src/base/platform/postgres/migrations.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';

export interface OpenStore {
  db: Database;
  artifacts: ArtifactStore;
  signal: AbortSignal;
}

/** Does something with the database and the artifacts of this home, as they are named by the environment. */
export async function withStore(context: CommandContext, work: (open: OpenStore) => Promise<void>): Promise<void> {
  const { openHome } = await import('#src/base/terminal/openHome.ts');
  const { untilInterrupted } = await import('#src/base/terminal/untilInterrupted.ts');
  await untilInterrupted(context, async (signal) => {
    const home = await openHome(context.environment(), { exclusive: false });
    try {
      await requireSchema(home.databaseUrl);
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

/** @throws WarrenError CONFLICT for a database without the tables of this Warren: nothing is changed here. */
async function requireSchema(databaseUrl: string): Promise<void> {
  const { applied, pending, problems } = await migrationStatus(databaseUrl);
  if (problems.length > 0) throw new WarrenError('CONFLICT', `the database: ${problems.join('; ')}`);
  if (pending.length === 0) return;
  const fault = applied.length === 0 ? 'has no tables of Warren' : `lacks ${pending.length} migrations of this Warren`;
  const advice =
    'see that DATABASE_URL is right; `warren migrate apply` and each start of the API make what is missing';
  throw new WarrenError('CONFLICT', `the database ${fault}: ${advice}`);
}
