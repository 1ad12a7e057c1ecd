import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { readInstance } from '#src/base/platform/instance.ts';
import { clientOf } from './support/apiForTests.ts';
import { pidsOf } from './support/processesOf.ts';
import { temporaryFolder } from './support/temporaryFolder.ts';
import { postgresPid, type RunningUp, runWarren, startUp } from './support/warrenCommand.ts';
import { waitUntil } from './support/waitUntil.ts';

/** Variables of a process, as the system tells them. */
function environmentOf(pid: number): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(entries.map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]));
}

describe.skipIf(process.platform !== 'linux')('what the processes of `warren up` know', () => {
  const home = join(temporaryFolder(), 'home');
  const foreign = { AWS_SECRET_ACCESS_KEY: 'of another program', OPENAI_API_KEY: 'of another program' };
  let up: RunningUp;
  let token: string;

  it('starts with secrets of other programs around it', async () => {
    up = await startUp(home, [], { ...foreign, WARREN_REQUIRE_TOKEN: '1', PGOPTIONS: '-c work_mem=4MB' });
    token = (await readInstance(home))?.token ?? '';
    expect(token).not.toBe('');
  });

  it('keeps its home to itself, and connects to the database without the rights of a superuser', async () => {
    expect(statSync(home).mode & 0o067).toBe(0);
    expect(statSync(join(home, 'artifacts')).mode & 0o077).toBe(0);
    const client = await connectPostgres((await readInstance(home))?.databaseUrl ?? '', { applicationName: 'test' });
    expect((await client.query('SHOW is_superuser')).rows).toEqual([{ is_superuser: 'off' }]);
    await client.end();
  });

  it('none of them has a secret of another program, or a token', async () => {
    const [executor] = await waitUntil('an executor', () => {
      const found = pidsOf(home, 'dist/executor.js');
      return found.length > 0 && found;
    });
    const pids = [
      executor!,
      ...pidsOf(home, 'dist/worker.js'),
      ...pidsOf(home, 'dist/api.js'),
      await postgresPid(home),
    ];
    expect(pids).toHaveLength(4);
    for (const pid of pids) {
      const environment = environmentOf(pid);
      expect(Object.keys(environment)).not.toContain('AWS_SECRET_ACCESS_KEY');
      expect(Object.keys(environment)).not.toContain('OPENAI_API_KEY');
      expect(Object.values(environment).filter((value) => value.startsWith('warren_'))).toEqual([]);
    }
  });

  it('the system shows no address with a password of any of them, whoever asks', async () => {
    for (const program of ['dist/executor.js', 'dist/worker.js', 'dist/api.js'] as const) {
      const pids = pidsOf(home, program);
      expect(pids).not.toEqual([]);
      for (const pid of pids) {
        const values = Object.values(environmentOf(pid));
        expect(values.filter((value) => value.includes('postgresql:'))).toEqual([]);
      }
    }
    // with tokens asked for, programs of others do not run as this user unless that is said
    const other = { WARREN_HOME: join(temporaryFolder(), 'other'), WARREN_REQUIRE_TOKEN: '1' };
    const refused = await runWarren(['up', '--allow-commands'], other);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--trust-commands')]);
  });

  it('executors and PostgreSQL know no address with a password, and PostgreSQL nothing that would change what it does', async () => {
    const [executor] = pidsOf(home, 'dist/executor.js');
    for (const pid of [executor!, await postgresPid(home)]) {
      const environment = environmentOf(pid);
      expect(Object.values(environment).filter((value) => value.includes('postgresql:'))).toEqual([]);
      expect(Object.keys(environment).filter((name) => name.startsWith('PG'))).toEqual([]);
      expect(environment.PATH).toBe(process.env.PATH);
    }
  });

  it('a run stores its artifacts all the same, by a token of its own', async () => {
    const ended = await runWarren(['run', 'item-knn', '--dataset', 'generated/markov-small', '--wait', '--json'], {
      WARREN_HOME: home,
    });
    expect(JSON.parse(ended.stdout)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('the token of the command line may queue, not make tokens, and it ends by itself', async () => {
    const bearer = { authorization: `Bearer ${token}` };
    const { graphql } = clientOf(up.url);
    const refused = await graphql('{ tokens { name } }', {}, bearer);
    expect(refused.errors[0]?.extensions.code).toBe('FORBIDDEN');
    const { stdout } = await runWarren(['token', 'ls', '--json'], { WARREN_HOME: home });
    const [record] = JSON.parse(stdout);
    expect(record.role).toBe('WRITE');
    expect(Date.parse(record.expiresAt) - Date.now()).toBeLessThan(3_600_000);
  });

  it('a second `up` on the same database leaves the token of the first alone, and each ends with its own', async () => {
    const databaseUrl = (await readInstance(home))?.databaseUrl ?? '';
    const other = `${home}-2`;
    const second = await startUp(other, [], { DATABASE_URL: databaseUrl, WARREN_REQUIRE_TOKEN: '1' });
    const workers = (bearer: string, url = up.url) =>
      clientOf(url).graphql('{ workers { name } }', {}, { authorization: `Bearer ${bearer}` });
    const theirs = (await readInstance(other))?.token ?? '';
    expect((await workers(token)).status).toBe(200);
    expect((await workers(theirs)).status).toBe(200);
    await second.stop();
    // The API remembers a token for five seconds.
    await waitUntil('the token to be void', async () => (await workers(theirs)).status === 401);
    expect((await workers(token)).status).toBe(200);
  });

  it('after `kill -9` the next start in the same home makes the old token void', async () => {
    up.child.kill('SIGKILL');
    await waitUntil('all programs to end', () => pidsOf(home, 'dist/').length === 0);
    up = await startUp(home, [], { WARREN_REQUIRE_TOKEN: '1' });
    const { graphql } = clientOf(up.url);
    expect((await graphql('{ workers { name } }', {}, { authorization: `Bearer ${token}` })).status).toBe(401);
    const client = await connectPostgres((await readInstance(home))?.databaseUrl ?? '', { applicationName: 'test' });
    const { rows } = await client.query('SELECT count(*)::int AS count FROM api_token WHERE revoked_at IS NULL');
    await client.end();
    expect(rows).toEqual([{ count: 1 }]);
  });
});
