import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installBackend, removeBackend } from '#src/cli/backend/installBackend.ts';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { findOpenblas } from '#workers/wasm/calls/findOpenblas.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';
import { openProductLibrary } from '#workers/wasm/calls/productLibrary.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'warren-openblas-test-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const context = (more: NodeJS.ProcessEnv = {}) =>
  createCommandContext(capturedSurroundings([], { ...process.env, WARREN_HOME: home, ...more }));

function record(text: string): void {
  mkdirSync(join(home, 'openblas'), { recursive: true });
  writeFileSync(join(home, 'openblas', 'installation.json'), text);
}

test('OpenBLAS that is not there is told with what to do', () => {
  const found = () => findOpenblas({ WARREN_HOME: home, WARREN_OPENBLAS: 'on' });
  expect(found()).toEqual({ missing: expect.stringMatching(/^OpenBLAS is not installed: run `.* install openblas`$/) });
  record('{"file":');
  expect(found()).toEqual({ missing: expect.stringMatching(/is damaged: run `.*` again$/) });
  record(JSON.stringify({ file: join(home, 'gone.so'), version: 'OpenBLAS 0.3' }));
  expect(found()).toEqual({ missing: expect.stringMatching(/gone\.so is gone: run `.*` again$/) });
  expect(findOpenblas({ WARREN_HOME: home, WARREN_OPENBLAS: '/nowhere.so' })).toEqual({
    missing: 'there is no /nowhere.so',
  });
});

test('a file that is no library, and a library that is another one, are told', () => {
  const file = join(home, 'text.so');
  writeFileSync(file, 'no library');
  expect(() => openProductLibrary(file)).toThrow(/^OpenBLAS in .*text\.so does not open: /);
  expect(openblasSupport({ WARREN_OPENBLAS: file })).toEqual({ reason: expect.stringContaining('does not open') });
  if (process.platform !== 'linux') return;
  expect(() => openProductLibrary('libm.so.6')).toThrow('it has no openblas_get_config, so it is another library');
});

test('what cannot be installed changes nothing of what was', async () => {
  record('{"version":"1"}');
  const from = join(home, 'text.so');
  await expect(installBackend(context(), 'openblas', { from })).rejects.toThrow(`--from: there is no ${from}`);
  writeFileSync(from, 'no library');
  await expect(installBackend(context(), 'openblas', { from })).rejects.toThrow(/does not open/);
  await expect(installBackend(context(), 'openblas', { from, pip: true })).rejects.toThrow(/give one of them/);
  await expect(installBackend(context(), 'openblas', { cpu: true })).rejects.toThrow('--cpu is for tensorflow');
  await expect(installBackend(context({ WARREN_OFFLINE: '1' }), 'openblas', {})).rejects.toThrow(
    'WARREN_OFFLINE is set, so nothing is downloaded: name a library that is here with --from',
  );
  expect(readFileSync(join(home, 'openblas', 'installation.json'), 'utf8')).toBe('{"version":"1"}');
});

const here = openblasSupport();
test.skipIf('reason' in here)('a library that is here is taken, found and removed again', async () => {
  const { file, version } = 'reason' in here ? { file: '', version: '' } : here;
  await installBackend(context(), 'openblas', { from: file, json: true });
  expect(findOpenblas({ WARREN_HOME: home, WARREN_OPENBLAS: 'on' })).toBe(file);
  expect(openblasSupport({ WARREN_HOME: home })).toEqual({ file, version });
  await removeBackend(context(), 'openblas');
  expect([existsSync(join(home, 'openblas')), existsSync(file)]).toEqual([false, true]);
});
