import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { sendLeftJournal } from '#workers/runtime/commands/leftJournal.ts';
import type { CommandTask } from '#src/base/contracts/executorMessages.ts';

const TASK: CommandTask = {
  ...{
    runId: 'r',
    attempt: 1,
    project: 'p',
    seed: 1,
    startedAtMs: 0,
    command: ['true'],
    parameters: {},
    code: null,
    folder: '',
  },
  ...{ environment: 'none', containerEngine: null, user: null, clientsFolder: '/c', environmentsFolder: '/e' },
  ...{ checkpoint: null, inputs: {}, gpus: [], memoryMb: null, seconds: null, workFolder: '/w', apiUrl: '', token: '' },
};

/** The command lines that are executed for a task whose program left a journal, or none; and what is told. */
async function sent({ task = TASK, code = 0, isLeft = true }: { task?: CommandTask; code?: number; isLeft?: boolean }) {
  const folder = temporaryFolder();
  if (isLeft) mkdirSync(join(folder, 'warren-runs', 'r'), { recursive: true });
  const commands: string[] = [];
  const warnings: string[] = [];
  await sendLeftJournal(task, {
    ...{ folder, environment: {}, stop: () => undefined, warn: (text) => warnings.push(text) },
    execute: async ({ command }) => {
      commands.push(command.slice(1, 3).join(' '));
      return { code, signal: null, problem: null };
    },
  });
  return { commands, warnings };
}

test('what a program has not sent is sent by the client, and it is told where that fails', async () => {
  expect(await sent({})).toEqual({ commands: ['/c/warren.mjs sync'], warnings: [] });
  const warnings = ['points that the program noted before it was killed could not all be sent'];
  expect(await sent({ code: 1 })).toEqual({ commands: ['/c/warren.mjs sync'], warnings });
  expect(await sent({ isLeft: false })).toEqual({ commands: [], warnings: [] });
});

test('nobody outside of a container reads what it has left', async () => {
  const task = { ...TASK, environment: 'container:python:3.12', containerEngine: 'podman' } as const;
  expect(await sent({ task })).toEqual({ commands: [], warnings: [] });
});
