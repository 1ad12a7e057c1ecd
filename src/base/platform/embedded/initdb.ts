import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { PostgresAccount } from './postgresAccount.ts';
import { runPostgresProgram } from './postgresProgram.ts';
import { SUPERUSER } from './postgresRecord.ts';

/** Makes an empty cluster, with one superuser. Throws UNAVAILABLE with the end of what `initdb` said. */
export async function runInitdb(
  initdb: string,
  args: string[],
  { password, account, folder }: { password: string; account: PostgresAccount; folder: string },
): Promise<void> {
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account !== null) chownSync(passwordFile, account.uid, account.gid);
  // The built-in locale sorts by code point and needs nothing of the machine: the same order everywhere.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${SUPERUSER}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    const { code, output } = await runPostgresProgram(initdb, [...args, ...locale, ...access], { folder, account });
    if (code === 0) return;
    throw new WarrenError('UNAVAILABLE', `initdb failed: ${output.trim().split('\n').slice(-6).join('; ')}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}
