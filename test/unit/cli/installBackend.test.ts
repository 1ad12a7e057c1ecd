import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildBinding, checkBuildTools } from '#src/cli/backend/buildBinding.ts';
import { installBackend } from '#src/cli/backend/installBackend.ts';
import { cudaRequirements, installFromPip } from '#src/cli/backend/pipTensorflow.ts';
import { findLibrary, isBuiltWithCuda } from '#src/cli/backend/tensorflowLibrary.ts';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';
import { findTensorflow } from '#workers/tensor/findTensorflow.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'warren-tensorflow-test-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A file below the test's folder, and its path. */
function file(path: string, text = ''): string {
  const whole = join(home, path);
  mkdirSync(join(whole, '..'), { recursive: true });
  writeFileSync(whole, text);
  return whole;
}

/** A library as a wheel has it. */
function wheel(folder: string, { headers = true } = {}): string[] {
  if (headers) file(`${folder}/include/tensorflow/c/eager/c_api.h`);
  return ['cc', 'framework'].map((name) => file(`${folder}/libtensorflow_${name}.so.2`));
}

function record(values: object): void {
  file('tensorflow/installation.json', JSON.stringify(values));
}

describe('TensorFlow’s library', () => {
  test('is found in its folder, in site-packages and in a virtual environment', () => {
    const libraries = wheel('venv/lib/python3.12/site-packages/tensorflow');
    for (const folder of [
      'venv',
      'venv/lib/python3.12/site-packages',
      'venv/lib/python3.12/site-packages/tensorflow',
    ]) {
      expect(findLibrary(join(home, folder), 'linux')).toEqual({
        libraries,
        headers: join(home, 'venv/lib/python3.12/site-packages/tensorflow/include'),
      });
    }
  });

  test('is found in the unpacked archive for C', () => {
    const libraries = ['libtensorflow.so.2', 'libtensorflow_framework.so.2'].map((name) => file(`c/lib/${name}`));
    file('c/include/tensorflow/c/eager/c_api.h');
    expect(findLibrary(join(home, 'c'), 'linux').libraries).toEqual(libraries);
  });

  test('that is not there, or is there without headers, is told with what is wanted', () => {
    wheel('bare', { headers: false });
    expect(() => findLibrary(join(home, 'gone'), 'linux')).toThrow(/there is no folder .*gone/);
    expect(() => findLibrary(home, 'linux')).toThrow(/has no libtensorflow_cc\.so\.2: name the folder `tensorflow`/);
    expect(() => findLibrary(join(home, 'bare'), 'linux')).toThrow(/has TensorFlow's library but not its headers/);
  });

  test('tells whether it was built with CUDA, also where the words lie across two reads', async () => {
    const names = [file('with', `${'x'.repeat(2 ** 22 - 5)}$ORIGIN/../nvidia/cudnn/lib`), file('without', 'a library')];
    expect(await Promise.all(names.map((name) => isBuiltWithCuda([name])))).toEqual([true, false]);
  });

  test('comes with the CUDA packages that its wheel names', () => {
    const lines = [
      'Requires-Dist: numpy>=1.26.0',
      'Requires-Dist: nvidia-cudnn-cu12<10.0,>=9.3; extra == "and-cuda"',
      'Requires-Dist: nvidia-nccl-cu12<3.0,>=2.27; extra == "and-cuda"',
    ];
    file('tensorflow-2.21.0.dist-info/METADATA', lines.join('\n'));
    expect(cudaRequirements(home)).toEqual(['nvidia-cudnn-cu12<10.0,>=9.3', 'nvidia-nccl-cu12<3.0,>=2.27']);
  });

  test('is not downloaded where WARREN_OFFLINE is set', async () => {
    const options = { terminal: { say: () => undefined }, offline: true, cpu: false };
    await expect(installFromPip(join(home, 'python'), options)).rejects.toThrow(/WARREN_OFFLINE is set.*--from/);
  });
});

describe('the binding to TensorFlow', () => {
  const nothing = { libraries: [], headers: '/nowhere' };

  test('wants a compiler, and says how to get one', () => {
    expect(() => checkBuildTools({ CXX: 'no-such-compiler' })).toThrow(
      /no C\+\+ compiler was found \(looked for no-such-compiler\): install one \(Debian: g\+\+/,
    );
  });

  test('that does not compile leaves nothing, and the compiler’s own words are told', async () => {
    const compiler = file('compiler', '#!/bin/sh\necho "c_api.h: no such file" >&2\nexit 1\n');
    chmodSync(compiler, 0o755);
    const tools = { compiler, nodeHeaders: '/nowhere', package: home };
    await expect(buildBinding(join(home, 'a.node'), nothing, tools)).rejects.toThrow(
      /compiler failed, so there is no binding to TensorFlow:\nc_api\.h: no such file/,
    );
    expect(() => readFileSync(join(home, 'a.node'))).toThrow(/ENOENT/);
  });
});

describe('workers', () => {
  test('find what was installed, as long as it is there and is what WARREN_LIBTENSORFLOW names', () => {
    const libraries = wheel('library');
    const binding = file('tfjs_binding.node');
    const installation = { version: '2.21.0', folder: join(home, 'library'), libraries, binding, cuda: false };
    expect(findTensorflow({ WARREN_HOME: home })).toMatchObject({
      missing: expect.stringMatching(/is not installed: run/),
    });
    record(installation);
    expect(findTensorflow({ WARREN_HOME: home })).toEqual(installation);
    expect(findTensorflow({ WARREN_HOME: home, WARREN_LIBTENSORFLOW: join(home, 'library') })).toEqual(installation);
    expect(findTensorflow({ WARREN_HOME: home, WARREN_LIBTENSORFLOW: '/other' })).toMatchObject({
      missing: expect.stringMatching(/WARREN_LIBTENSORFLOW is \/other, but the binding was built for .*library: run/),
    });
    rmSync(binding);
    expect(findTensorflow({ WARREN_HOME: home })).toMatchObject({
      missing: expect.stringMatching(/binding\.node is gone/),
    });
  });

  test('say so where the record is damaged, or nothing was built for WARREN_LIBTENSORFLOW', () => {
    expect(findTensorflow({ WARREN_HOME: home, WARREN_LIBTENSORFLOW: '/some' })).toMatchObject({
      missing: expect.stringMatching(/no binding was built for WARREN_LIBTENSORFLOW \(\/some\): run/),
    });
    file('tensorflow/installation.json', '{"version":');
    expect(findTensorflow({ WARREN_HOME: home })).toMatchObject({ missing: expect.stringMatching(/is damaged: run/) });
    record({ version: 1 });
    expect(findTensorflow({ WARREN_HOME: home })).toMatchObject({ missing: expect.stringMatching(/is damaged: run/) });
  });
});

describe('warren backend install', () => {
  const context = () => createCommandContext(capturedSurroundings([], { WARREN_HOME: home }));

  test('refuses another backend, and two sources at once', async () => {
    await expect(installBackend(context(), 'webgpu', {})).rejects.toThrow(
      /expected tensorflow or openblas, not "webgpu"/,
    );
    await expect(installBackend(context(), 'tensorflow', { from: home, pip: true })).rejects.toThrow(
      /give one of them/,
    );
  });

  test('refuses a folder without the library before anything is changed', async () => {
    record({ version: '1' });
    await expect(installBackend(context(), 'tensorflow', { from: home })).rejects.toThrow(/has no libtensorflow_cc/);
    expect(readFileSync(join(home, 'tensorflow', 'installation.json'), 'utf8')).toBe('{"version":"1"}');
  });
});
