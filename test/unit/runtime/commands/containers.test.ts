import { expect, test } from 'vitest';
import { containerCommand } from '#workers/runtime/commands/containers.ts';

const TASK = {
  ...{ runId: 'r', attempt: 2, command: ['python', 'train.py'], folder: 'src', gpus: [2, 3], memoryMb: 512 },
};
const VARIABLES = { WARREN_TOKEN: 'secret', WARREN_CHECKPOINT_DIR: '/host/checkpoint', PATH: '/host', HOME: '/root' };
const FOLDERS = { code: '/s/code', checkpoint: '/s/checkpoint', inputs: '/s/inputs', clients: '/c' };

test("variables in a sweep's command are those that the container is told, not the machine's", () => {
  const options = { engine: 'podman', image: 'i', ...FOLDERS, rootless: false, owner: { uid: 0, gid: 0 } } as const;
  const words = ['WARREN_CHECKPOINT_DIR', 'WARREN_SEED', 'CUDA_VISIBLE_DEVICES', 'HOME', 'NOT_SET'];
  const task = { ...TASK, command: ['python', ...words.map((name) => `--at=\${envvar:${name}}`)] };
  const { command } = containerCommand(task, { ...VARIABLES, WARREN_SEED: '7' }, options);
  expect(command.slice(-6)).toEqual([
    ...['python', '--at=/warren/checkpoint', '--at=7', '--at=0,1'],
    // as at W&B, what is not set leaves its name
    ...['--at=HOME', '--at=NOT_SET'],
  ]);
});

test.each([
  ['podman', ['--device', 'nvidia.com/gpu=2', '--device', 'nvidia.com/gpu=3']],
  ['docker', ['--gpus', '"device=2,3"']],
] as const)(
  '%s gets the folders, GPUs and limits of a command, no secret in its command line, and its own home',
  (engine, gpus) => {
    const options = { engine, image: 'library/python:3.12', ...FOLDERS, rootless: false };
    const { command, variables } = containerCommand(TASK, VARIABLES, { ...options, owner: { uid: 7, gid: 8 } });
    const line = command.join(' ');
    expect(command.slice(0, 4)).toEqual([engine, 'run', '--name', 'warren-r-2']);
    expect(command.slice(-3)).toEqual(['library/python:3.12', 'python', 'train.py']);
    expect(line).toContain(gpus.join(' '));
    const parts = [
      '/s/code:/warren/code',
      '/s/checkpoint:/warren/checkpoint',
      '/s/inputs:/warren/inputs',
      '/c:/warren/clients:ro',
      '--memory 512m',
    ];
    for (const part of [
      ...parts,
      '--workdir /warren/code/src',
      '--user 7:8',
      '--cap-drop all',
      '--env WARREN_TOKEN',
      '--env HOME=/tmp',
    ]) {
      expect(line).toContain(part);
    }
    expect(line).not.toContain('secret');
    expect(variables).toEqual({
      ...{ WARREN_TOKEN: 'secret', WARREN_CHECKPOINT_DIR: '/warren/checkpoint', PYTHONPATH: '/warren/clients' },
      ...{ CUDA_VISIBLE_DEVICES: '0,1', WARREN_DIR: '/warren/code/src', WARREN_INPUT_DIR: '/warren/inputs' },
    });
  },
);
