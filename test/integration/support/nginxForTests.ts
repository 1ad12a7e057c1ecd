import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atEndOfFile } from './atEndOfFile.ts';
import { exitOf, stopProcess } from '#src/base/platform/processes/processTree.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface NginxFiles {
  folder: string;
  /** A self-signed certificate for `localhost`, and its key. */
  certificate: string;
  key: string;
}

/**
 * What nginx needs to run in a test, in a temporary folder. Null, with the reason printed, when nginx or openssl is not
 * installed; with `CI=true` that is a failure.
 */
export function nginxForTests(): NginxFiles | null {
  const folder = temporaryFolder();
  const files = { folder, certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', files.key];
    execFileSync('openssl', ['req', '-x509', ...key, '-out', files.certificate, '-days', '2', ...subject], {
      stdio: 'ignore',
    });
    return files;
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')) throw thrown;
    const reason = 'nginx or openssl is not installed: the example of a proxy cannot be run';
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
}

/** Runs nginx with a piece of configuration for its `http` block, until the tests of the file have ended. */
export async function startNginx({ folder }: NginxFiles, configuration: string): Promise<void> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const lines = [
    'daemon off;',
    'worker_processes 1;',
    `pid ${join(folder, 'nginx.pid')};`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    configuration,
    '}',
  ];
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'nginx.conf');
  const log = join(folder, 'nginx.log');
  writeFileSync(path, lines.join('\n'));
  execFileSync('nginx', ['-t', '-q', '-e', log, '-c', path]);
  const child = spawn('nginx', ['-e', log, '-c', path], { cwd: folder, stdio: 'ignore' });
  atEndOfFile(async () => void (await stopProcess(child, { graceMs: 5_000 })));
  void exitOf(child).then(({ code }) => {
    if (code !== 0 && code !== null) console.error(readFileSync(log, 'utf8'));
  });
}
