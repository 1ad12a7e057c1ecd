import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';
import type { CommandContext } from './commandContext.ts';
import { findServices } from './findServices.ts';

/**
 * Does work in the database itself, which is migrated before.
 * @throws WarrenError UNAVAILABLE when there is none.
 */
export async function withDatabase(context: CommandContext, work: (db: Database) => Promise<void>): Promise<void> {
  const environment = context.environment();
  const services = await findServices(environment);
  if (services === null)
    throw new WarrenError(
      'UNAVAILABLE',
      `no database: set DATABASE_URL, or start \`warren up\` (none runs in ${environment.home})`,
    );
  const { applyMigrations } = await import('#src/base/platform/postgres/migrations.ts');
  const { closeDatabase, openDatabase } = await import('#src/base/platform/postgres/database.ts');
  await applyMigrations(services.databaseUrl); // the first token may come before the first start of the API
  const db = openDatabase(services.databaseUrl, { poolSize: 1 });
  try {
    await work(db);
  } finally {
    await closeDatabase(db);
  }
}
