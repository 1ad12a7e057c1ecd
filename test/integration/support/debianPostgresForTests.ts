import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { postgresAccount } from '#src/platform/embedded/postgresAccount.ts';
import { postgresEnvironment } from '#src/platform/processes/childEnvironment.ts';
import { freePort } from '#src/platform/processes/freePort.ts';
import { stopProcess } from '#src/platform/processes/processTree.ts';
import { connectPostgres } from '#src/platform/postgres/postgresClient.ts';
import { atEndOfFile } from './atEndOfFile.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { makeDatabase, type TestDatabases } from './testDatabases.ts';
import { waitUntil } from './waitUntil.ts';

const VERSIONS = '/usr/lib/postgresql';

/**
 * The oldest PostgreSQL that Debian's packages have installed, of which each major version is older than the embedded one, with an
 * empty database. Null, with the reason printed, when there is none; with `CI=true` that is a failure.
 */
export async function debianPostgresForTests(): Promise<TestDatabases | null> {
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
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, '-p', String(port), '-k', folder, ...settings],
    options,
  );
  atEndOfFile(async () => void (await stopProcess(server, { graceMs: 10_000, signal: 'SIGINT' })));
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
  };
}
