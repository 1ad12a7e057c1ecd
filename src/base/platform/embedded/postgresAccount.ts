import { execFileSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { WarrenError } from '#src/base/contracts/errors.ts';

/** Who runs the embedded PostgreSQL: null for the user of this process, which it refuses when that is root. */
export type PostgresAccount = { uid: number; gid: number } | null;

const ACCOUNT_NAME = 'postgres';

/**
 * The account for the embedded server: this process's own user, or, as root, the system's `postgres` user, created when
 * there is none.
 * @throws WarrenError UNAVAILABLE when root cannot create it.
 */
export function postgresAccount(): PostgresAccount {
  if (process.getuid === undefined || process.getuid() !== 0) return null;
  const known = knownPostgresAccount();
  if (known !== null) return known;
  for (const [program, args] of [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', ACCOUNT_NAME]],
    ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', ACCOUNT_NAME]],
  ] as const) {
    try {
      execFileSync(program, args, { stdio: 'ignore' });
      const created = knownPostgresAccount();
      if (created !== null) return created;
    } catch {
      // Debian has the first program, Alpine the second.
    }
  }
  const advice = 'run Warren as an ordinary user, or point DATABASE_URL at a server';
  throw new WarrenError(
    'UNAVAILABLE',
    `PostgreSQL refuses to run as root, and no user "postgres" could be made; ${advice}`,
  );
}

/** The system's `postgres` user; null where there is none. */
export function knownPostgresAccount(): PostgresAccount {
  try {
    const [uid, gid] = ['-u', '-g'].map((flag) => {
      const output = execFileSync('id', [flag, ACCOUNT_NAME], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return Number.parseInt(output, 10);
    });
    return { uid: uid!, gid: gid! };
  } catch {
    return null;
  }
}

/** Whether the account may reach what is in `folder`: execute permission on it and on every folder above it. */
export function canEnter(folder: string, account: PostgresAccount): boolean {
  if (account === null) return true;
  for (let path = realpathSync(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const needed = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
    if (path === dirname(path)) return true;
  }
}
