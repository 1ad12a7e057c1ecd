import { hostname } from 'node:os';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { systemUser } from '#src/base/lib/userName.ts';
import type { AuditedAct } from '#src/audit/auditLog.ts';

/** Writes down what a command did in the database itself, as the user of this machine. */
export async function recordCommand(db: Database, act: Omit<AuditedAct, 'actor'>): Promise<void> {
  const user = systemUser() ?? `user ${process.getuid?.() ?? 'unknown'}`;
  const { recordAct } = await import('#src/audit/auditLog.ts');
  await recordAct({ db }, { ...act, actor: { kind: 'command line', name: `${user}@${hostname()}` } });
}

/** As `recordCommand`, over a connection of its own. What was done stays done where it cannot be written down. */
export async function recordCommandAt(databaseUrl: string, act: Omit<AuditedAct, 'actor'>): Promise<void> {
  const { closeDatabase, openDatabase } = await import('#src/base/platform/postgres/database.ts');
  const db = openDatabase(databaseUrl, { poolSize: 1 });
  try {
    await recordCommand(db, act).catch(() => {}); // a database of an earlier version has no audit log
  } finally {
    await closeDatabase(db);
  }
}
