import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '#src/base/platform/embedded/postgresAccount.ts';
import { postgresEnvironment } from '#src/base/platform/processes/childEnvironment.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { stopProcess } from '#src/base/platform/processes/processTree.ts';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { makeDatabase, type TestDatabases } from './testDatabases.ts';
import { waitUntil } from './waitUntil.ts';

export interface DebianPostgres extends TestDatabases {
  stop(): Promise<void>;
  /** Starts it again on the same port. It refuses all connections as one that is starting up, until it is let go. */
  startSlowly(): { letGo(): void };
}

const VERSIONS = '/usr/lib/postgresql';

/**
 * The oldest PostgreSQL that Debian's packages have installed, of which each major version is older than the embedded one, with an
 * empty database. Null, with the reason printed, when there is none; with `CI=true` that is a failure.
 */
export async function debianPostgresForTests(): Promise<DebianPostgres | null> {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(a) - Number(b)) : [];
  const [binaries] = versions
    .map((version) => join(VERSIONS, version, 'bin'))
    .filter((path) => existsSync(join(path, 'postgres')) && existsSync(join(path, 'initdb')));
  if (binaries === undefined) {
    const reason = `no PostgreSQL of Debian's in ${VERSIONS}: what older versions need cannot be tested`;
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
  const account = postgresAccount();
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (account !== null) for (const path of [folder, data]) chownSync(path, account.uid, account.gid);
  const options = { ...account, env: postgresEnvironment(process.env), cwd: folder, stdio: 'ignore' as const };
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'], options);
  const port = await freePort(0);
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
  const start = (): ChildProcess =>
    spawn(join(binaries, 'postgres'), ['-D', data, '-p', String(port), '-k', folder, ...settings], options);
  let server = start();
  const stop = async () => void (await stopProcess(server, { graceMs: 10_000, signal: 'SIGINT' }));
  atEndOfFile(stop);
  const serverUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await waitUntil('PostgreSQL to answer', async () => {
    try {
      await (await connectPostgres(serverUrl, { applicationName: 'warren tests' })).end();
      return true;
    } catch {
      return false;
    }
  });
  return {
    url: await makeDatabase(serverUrl, { empty: true }),
    freshDatabase: () => makeDatabase(serverUrl, { empty: true }),
    stop,
    startSlowly: () => {
      // a recovery that waits for its archive, which turns out to have nothing
      const gate = join(folder, 'gate');
      execFileSync('mkfifo', [gate]);
      if (account !== null) chownSync(gate, account.uid, account.gid);
      writeFileSync(join(data, 'recovery.signal'), '');
      if (account !== null) chownSync(join(data, 'recovery.signal'), account.uid, account.gid);
      const restore = `restore_command = 'test ! -p ${gate} || cat ${gate}; false'\n`;
      writeFileSync(join(data, 'postgresql.auto.conf'), restore);
      server = start();
      return {
        letGo: () => {
          writeFileSync(gate, ''); // opens once the recovery reads
          rmSync(gate);
        },
      };
    },
  };
}
