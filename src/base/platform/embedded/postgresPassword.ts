import { WarrenError } from '#src/base/contracts/errors.ts';
import type { PostgresAccount } from './postgresAccount.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';
import { runPostgresProgram } from './postgresProgram.ts';

/**
 * Gives a role of a stopped server a new password, in PostgreSQL's single-user mode, which asks for none: whoever owns the
 * files owns the database.
 * @param password hexadecimal digits.
 * @throws WarrenError UNAVAILABLE with what the server said.
 */
export async function setPassword(
  dataFolder: string,
  { binaries, account }: { binaries: PostgresBinaries; account: PostgresAccount },
  { role, password }: { role: string; password: string },
): Promise<void> {
  const { code, output } = await runPostgresProgram(binaries.postgres, ['--single', '-D', dataFolder, 'postgres'], {
    folder: dataFolder,
    account,
    input: `ALTER ROLE ${role} PASSWORD '${password}'\n`,
  });
  const problem = /(?:ERROR|FATAL|PANIC): .*/.exec(output)?.[0];
  if (code === 0 && problem === undefined) return;
  throw new WarrenError('UNAVAILABLE', `no new password for ${dataFolder}: ${problem ?? output.trim()}`);
}
