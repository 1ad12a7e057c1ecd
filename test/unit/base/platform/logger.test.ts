import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { formatLine } from '#src/base/platform/logger.ts';

const record = { level: 40, time: new Date(2026, 10, 21, 10, 20, 30).getTime(), name: 'worker', pid: 1, hostname: 'h' };

describe('formatLine', () => {
  it('is one readable line: time, level, process, message, details', () => {
    expect(formatLine(JSON.stringify({ ...record, msg: 'lease lost', run: 7, states: ['A'] }))).toBe(
      '10:20:30 WARN  worker: lease lost run=7 states=["A"]',
    );
  });

  it('shows the stack of an error, and of a warning only the message', () => {
    const err = { type: 'Error', message: 'disk full', stack: 'Error: disk full\n    at x' };
    expect(formatLine(JSON.stringify({ ...record, msg: 'failed', err }))).toBe(
      '10:20:30 WARN  worker: failed: disk full',
    );
    expect(formatLine(JSON.stringify({ ...record, level: 50, msg: 'failed', err }))).toBe(
      '10:20:30 ERROR worker: failed: Error: disk full\n    at x',
    );
  });
});

describe('createLogger', () => {
  it('is used by programs whose stdout stays clean, and keeps secrets out', async () => {
    const { build } = await import('esbuild');
    const outfile = new URL('../../../../dist/test/logSecrets.js', import.meta.url).pathname;
    const contents = `
      import { createLogger } from './src/base/platform/logger.ts';
      const log = createLogger('api', 'info');
      log.debug('not shown');
      log.info({ token: 'hush', settings: { databaseUrl: 'hush' } }, 'started');`;
    const resolveDir = new URL('../../../..', import.meta.url).pathname;
    await build({
      stdin: { contents, resolveDir, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    });
    const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
    expect(stdout).toBe('');
    const lines = stderr.trim().split('\n');
    expect(lines.length).toBe(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ name: 'api', level: 30, msg: 'started', token: '…' });
    expect(stderr).not.toContain('hush');
  });
});
