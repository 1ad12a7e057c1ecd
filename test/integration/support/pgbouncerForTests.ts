import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '#src/base/platform/embedded/postgresAccount.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { waitUntil } from './waitUntil.ts';
import { connect } from 'node:net';

/**
 * A real pgbouncer before the server of `databaseUrl`, until the tests of the file have ended.
 * @param settings of its configuration beside address, users and port.
 * @returns the address of the same database through it; null, with the reason printed, when pgbouncer is not installed; with
 *   `CI=true` that is a failure.
 */
export async function pgbouncerForTests(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<string | null> {
  const folder = temporaryFolder();
  const port = await freePort(0);
  const { hostname, port: serverPort, username, password } = new URL(databaseUrl);
  const users = join(folder, 'users.txt');
  const configuration = join(folder, 'pgbouncer.ini');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: users,
    ...settings,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    configuration,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  const account = postgresAccount(); // it refuses to run as root
  if (account !== null) for (const path of [folder, users, configuration]) chownSync(path, account.uid, account.gid);
  const child = spawn('pgbouncer', ['-q', configuration], { ...account, cwd: folder, stdio: 'ignore' });
  const missing = await new Promise<boolean>((resolve, reject) => {
    child.once('spawn', () => resolve(false));
    child.once('error', (error) => ('code' in error && error.code === 'ENOENT' ? resolve(true) : reject(error)));
  });
  if (missing) {
    const reason = 'pgbouncer is not installed: poolers before PostgreSQL cannot be tested';
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
  atEndOfFile(async () => void (await stopProcess(child, { graceMs: 5_000, signal: 'SIGTERM' })));
  await waitUntil('pgbouncer listens', () => listens(port));
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
