import { spawn } from 'node:child_process';
import { WarrenError } from '../contracts/errors.ts';
import { postgresEnvironment } from './childEnvironment.ts';
import type { PostgresAccount } from './postgresAccount.ts';
import type { PostgresBinaries } from './postgresBinaries.ts';

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
  await new Promise<void>((resolve, reject) => {
    const child = spawn(binaries.postgres, ['--single', '-D', dataFolder, 'postgres'], {
      cwd: dataFolder,
      env: postgresEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...account,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      const problem = /(?:ERROR|FATAL|PANIC): .*/.exec(output)?.[0];
      if (code === 0 && problem === undefined) resolve();
      else reject(new WarrenError('UNAVAILABLE', `no new password for ${dataFolder}: ${problem ?? output.trim()}`));
    });
    child.stdin.on('error', () => {}); // told by its output
    child.stdin.end(`ALTER ROLE ${role} PASSWORD '${password}'\n`);
  });
}
