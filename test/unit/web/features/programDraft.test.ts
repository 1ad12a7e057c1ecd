import { expect, test } from 'vitest';
import { inputReferences } from '#web/features/newRun/inputLines.ts';
import {
  placeholdersOf,
  programFieldOf,
  programOf,
  readLine,
  readProgram,
  readValue,
} from '#web/features/newRun/program/programDraft.ts';

const RUN = {
  queued: {
    parameters: {
      ...{ command: ['python3', '-c', 'a\nb', '--lr={lr}', '{{kept}}', ''], code: 'f'.repeat(64), folder: 'src' },
      ...{ environment: 'auto', lr: 0.1, name: '12', list: [1, 2] },
    },
  },
  needs: { command: true, gpus: 1, memoryMb: 2048, cores: null, labels: ['a', 'b'], seconds: 90 },
  environment: { codeCommit: 'abc', codeChanged: true, host: 'x' },
  inputs: [
    { name: 'model.pt', sourceRunId: 'r', artifactName: 'm', version: 'ranker:3/model.pt' },
    { name: 'x.csv', sourceRunId: '0f9b6a3e-7a4f-4c7e-9d38-0d8f6f1b2c11', artifactName: 'out/x.csv', version: null },
  ],
};

test('the program of a run is typed as it was queued, and read back as it was', () => {
  const { draft, source } = programOf(RUN)!;
  expect(draft.line.split('\n')).toEqual(['python3', '-c', '"a\\nb"', '--lr={lr}', '{{kept}}', '""']);
  expect(source).toEqual({
    ...{ code: 'f'.repeat(64), folder: 'src', environment: 'auto' },
    origin: { codeCommit: 'abc', codeChanged: true },
  });
  const { fields, inputs, errors } = readProgram(draft);
  expect(errors).toEqual({});
  expect(inputReferences(inputs)).toEqual([
    { name: 'model.pt', version: 'ranker:3/model.pt' },
    { name: 'x.csv', runId: RUN.inputs[1]!.sourceRunId, artifactName: 'out/x.csv' },
  ]);
  expect(fields).toEqual({
    command: RUN.queued.parameters.command,
    ...{ gpus: 1, memoryMb: 2048, cores: null, labels: ['a', 'b'], seconds: 90 },
  });
  expect(Object.entries(draft.values).map(([name, text]) => [name, readValue(text)])).toEqual([
    ['lr', 0.1],
    ['name', '12'],
    ['list', [1, 2]],
  ]);
});

test('what is in braces is a parameter, but for the seed and for doubled braces', () => {
  expect(placeholdersOf('train\n--lr {lr}\n--seed {seed}\n{{kept}} {depth} {lr} {1}')).toEqual(['lr', 'depth']);
});

test('mistakes are told at their fields, those of the API too', () => {
  const draft = {
    ...programOf(RUN)!.draft,
    line: 'echo\n"open',
    gpus: '1.5',
    memory: 'much',
    cores: '0',
    minutes: '-1',
    inputs: 'model.pt=ranker',
  };
  expect(Object.keys(readProgram(draft).errors).sort()).toEqual([
    'cores',
    'gpus',
    'inputs',
    'line',
    'memory',
    'minutes',
  ]);
  expect(readLine(' \n')).toHaveProperty('command', [' ']);
  expect(readLine('')).toHaveProperty('message');
  expect(programFieldOf('input.command[2]')).toBe('line');
  expect(programFieldOf('input.file.memoryMb')).toBe('memory');
  expect(programFieldOf('parameters.lr')).toBe('parameters.lr');
  expect(programFieldOf('elsewhere')).toBeNull();
});

test('what is no program is none', () => {
  expect(programOf({ queued: { parameters: { lr: 1 } }, needs: null, environment: null, inputs: [] })).toBeNull();
});
