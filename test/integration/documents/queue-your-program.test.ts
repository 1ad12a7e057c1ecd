import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { clientOf } from '../support/apiForTests.ts';
import { documentForTests } from '../support/documentBlocks.ts';
import { runShell, startShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';

const document = documentForTests('queue-your-program.md');
const blocks = {
  up: document.take('up', { 'warren up': 'exec warren up --port 0 --quiet' }),
  token: document.take('token'),
  train: document.take('train'),
  run: document.take('run'),
  inputs: document.take('inputs'),
  priority: document.take('priority'),
  pause: document.take('pause'),
  drain: document.take('drain', { NAME: '"$WORKER"' }),
};
const folder = temporaryFolder();
const variables = {
  WARREN_HOME: join(folder, 'home'),
  WARREN_BACKEND: 'cpu',
  WARREN_GPUS: 'none',
  PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
};

it('queues a script with three seeds on the worker of `warren up`', async () => {
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'warren'), `#!/bin/sh\nexec "${process.execPath}" "${builtFile('cli.js')}" "$@"\n`);
  chmodSync(join(folder, 'bin', 'warren'), 0o755);
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'train.py'), blocks.train);
  execFileSync('git', ['init', '-q'], { cwd: project });
  const up = startShell(blocks.up, variables);
  const url = await waitUntil('warren up', () => /Warren is up at (\S+)/.exec(up.stdout())?.[1], 60_000);
  await runShell(blocks.run, variables, project);
  const { ok, graphql } = clientOf(url);
  const { runs } = await ok(`{ runs(project: "default") { edges { node {
    name state seed configuration { hash parameters } metrics { name pointCount } } } } }`);
  const nodes: { configuration: { hash: string } }[] = runs.edges.map((edge: { node: object }) => edge.node);
  expect(nodes).toHaveLength(3);
  expect(new Set(nodes.map(({ configuration }) => configuration.hash)).size).toBe(1);
  for (const node of nodes) {
    expect(node).toMatchObject({
      name: 'my training',
      state: 'SUCCEEDED',
      configuration: { parameters: { lr: 0.1 } },
      metrics: expect.arrayContaining([{ name: 'train/loss', pointCount: 5 }]),
    });
  }
  await runShell(blocks.inputs, variables, project);
  const { run: taker } = await ok('{ run(id: "5") { logs { lines { text } } inputs { version } } }');
  expect(taker).toEqual({ logs: { lines: [{ text: 'weights' }] }, inputs: [{ version: 'scorer:1/model.txt' }] });
  const queue = 'mutation { enqueueCommand(input: { command: ["true"] }) { state } }';
  expect((await graphql(queue)).errors[0]?.extensions.code).toBe('FORBIDDEN');
  const token = (await runShell(blocks.token, variables)).trim();
  expect((await graphql(queue, {}, { authorization: `Bearer ${token}` })).data.enqueueCommand[0].state).toBe('QUEUED');
  expect((await graphql('mutation { pauseQueue(kind: "command") { kind } }')).errors).toEqual([]);
  const send = 'mutation { enqueueCommand(input: { command: ["true"], seeds: [1, 2] }) { number waitsFor } }';
  const sent = (await graphql(send, {}, { authorization: `Bearer ${token}` })).data.enqueueCommand;
  expect(sent[0].waitsFor).toBe('the kind "command" to be resumed (`warren queue resume command`)');
  const numbers = sent.map(({ number }: { number: number }) => number).join(' ');
  expect(await runShell(blocks.priority.replace('1 2', numbers), variables)).toContain('priority 10000');
  expect(await runShell(blocks.pause, variables)).toContain('paused: command');
  const { workers } = await ok('{ workers { name } }');
  expect(await runShell(blocks.drain, { ...variables, WORKER: workers[0].name })).toContain(': drained');
  up.child.kill('SIGTERM');
  await up.ended;
});
