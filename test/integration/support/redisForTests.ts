import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { atEndOfFile } from './atEndOfFile.ts';
import { freePort } from '#src/base/platform/processes/freePort.ts';
import { exitOf, stopProcess } from '#src/base/platform/processes/processTree.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { waitUntil } from './waitUntil.ts';

export interface TestRedis {
  /** The same after a restart. */
  url: string;
  /** `kill -9`, as an accident would; the data are in its append-only file. */
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/**
 * A real `redis-server` on a free port, with `noeviction` and an append-only file, ended after the tests of this file for
 * certain. Null, with the reason printed, when it is not installed; with `CI=true` that is a failure.
 */
export async function redisForTests(): Promise<TestRedis | null> {
  const folder = temporaryFolder();
  const port = await freePort(0);
  let server: ChildProcess;
  try {
    server = await startRedis(folder, port);
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (!missing) throw thrown;
    const reason = 'redis-server is not installed: tests of the Redis queue cannot run';
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
  atEndOfFile(async () => void (await stopProcess(server, { graceMs: 5_000 })));
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: async () => {
      server.kill('SIGKILL');
      await exitOf(server);
    },
    restart: async () => {
      server = await startRedis(folder, port);
    },
  };
}

async function startRedis(folder: string, port: number): Promise<ChildProcess> {
  mkdirSync(folder, { recursive: true });
  const settings = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'yes',
    // By default Redis answers before it has written what came while the disk was busy.
    appendfsync: 'always',
    dir: folder,
    'maxmemory-policy': 'noeviction',
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
  // Its working folder tells the watchdog whose it is: Redis writes over its command line and environment.
  const child = spawn('redis-server', flags, { stdio: 'ignore', cwd: folder });
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  await waitUntil('redis-server answers', () => answers(port));
  return child;
}

/** Whether Redis has loaded its data: until then it answers `-LOADING`. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data).startsWith('+PONG'));
    });
    socket.once('error', () => resolve(false));
  });
}
