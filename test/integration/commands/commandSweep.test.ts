import { expect, it } from 'vitest';
import { retryRuns } from '#src/runs/retryRuns.ts';
import { requireSweep } from '#src/sweeps/findSweep.ts';
import { readSweep } from '#src/sweeps/sweepView.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { listRunsOfTrials } from '#src/sweeps/store/sweepTrial.ts';
import { pointsOf, runOf, runsReach } from '../runtime/runFacts.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { runWarren } from '../support/warrenCommand.ts';
import { commandsForTests } from './commandsForTests.ts';

const { api, db, context, token, startWorker, linesOf } = await commandsForTests();
const worker = startWorker({ WARREN_SLOTS: '1', SECRET: 'x' });

/**
 * Logs its loss, which is what was drawn; when it is asked to end it saves how far it is, and goes on from there. A bad one
 * waits for that in its third step.
 */
const PROGRAM = `step=$(cat "$WARREN_CHECKPOINT_DIR/step" 2>/dev/null || echo 0)
began=$step
trap 'echo $step > "$WARREN_CHECKPOINT_DIR/step"; exit 0' TERM
while [ $step -lt 8 ]; do
  step=$((step + 1)); echo "warren: {\\"step\\": $step, \\"loss\\": {lr}}"
  while [ $began = 0 ] && [ $step = 3 ] && [ {lr} = 2 ]; do sleep 0.02; done
done`;

const FILE = {
  method: 'grid',
  metric: { name: 'loss', goal: 'minimize' },
  parameters: { lr: { values: [1, 2] } },
  command: ['sh', '-c', PROGRAM],
  concurrency: 1,
  early_terminate: { type: 'asha', min_iter: 2 },
};
const CREATE = 'mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { number } warnings } }';
const ask = (document: string, variables: Record<string, unknown>, bearer: string) =>
  api.graphql(document, variables, { authorization: `Bearer ${bearer}` });

it('a sweep over a program needs the right to queue commands, to start and to go on', async () => {
  const { token: admin } = await issueToken(context, { name: 'admin', role: 'ADMIN' });
  const forbidden = { extensions: { code: 'FORBIDDEN' }, message: expect.stringContaining('--commands') };
  expect((await ask(CREATE, { file: FILE }, admin)).errors[0]).toMatchObject(forbidden);
  const { number } = (await ask(CREATE, { file: { ...FILE, parameters: { lr: { values: [1] } } } }, token)).data
    .createSweep.sweep;
  for (const call of [`extendSweep(input: { id: "${number}" })`, `confirmSweep(id: "${number}", trial: 0)`]) {
    expect((await ask(`mutation { ${call} { id } }`, {}, admin)).errors[0]).toMatchObject(forbidden);
  }
  await ask(`mutation { cancelSweep(id: "${number}") { id } }`, {}, admin);
  const lacking = { ...FILE, command: ['true'] };
  const { sweep, warnings } = (await ask(CREATE, { file: lacking }, token)).data.createSweep;
  expect(warnings.join()).toContain('no argument of the command has {lr}');
  await ask(`mutation { cancelSweep(id: "${sweep.number}") { id } }`, {}, admin);
  const macro = { ...FILE, command: [`\${env}`, `\${args_dict}`] };
  expect((await ask(CREATE, { file: macro }, token)).errors[0]?.message).toContain('command[1]: received $');
});

it('variables in a command are those that its program gets on the worker, nothing of the worker’s own', async () => {
  await worker;
  const printed = ['WARREN_SEED', 'SECRET', 'NOT_SET'].map((name) => `\${envvar:${name}}`).join(' ');
  const command = ['sh', '-c', `echo ${printed}; echo 'warren: {"loss": {lr}}'`];
  const file = { ...FILE, command, parameters: { lr: { values: [1] } }, seeds: [7], early_terminate: undefined };
  const { number } = (await ask(CREATE, { file }, token)).data.createSweep.sweep;
  const look = async () => await readSweep(db, await requireSweep({ db }, String(number)));
  await waitUntil('the sweep has finished', async () => (await look()).sweep.state === 'FINISHED', 30_000);
  const [run] = await listRunsOfTrials(db, (await look()).sweep.id, [0]);
  expect((await linesOf(run!)).join()).toContain('7 SECRET NOT_SET');
});

it('stops a hopeless program early, keeps what it saved, and continues it on demand', async () => {
  await worker;
  const { number } = (await ask(CREATE, { file: FILE }, token)).data.createSweep.sweep;
  const look = async () => await readSweep(db, await requireSweep({ db }, String(number)));
  await waitUntil('the sweep has finished', async () => (await look()).sweep.state === 'FINISHED', 30_000);
  const { trials, sweep } = await look();
  expect(trials).toMatchObject([
    { state: 'SUCCEEDED', objective: 1, epochs: 8 },
    { state: 'PRUNED', objective: null, rung: { iteration: 2, value: 2 } },
  ]);
  expect(trials[1]?.epochs).toBe(3);
  const [run] = await listRunsOfTrials(db, sweep.id, [1]);
  await retryRuns(context, [run!.id]);
  await runsReach(db, [run!]);
  expect(await runOf(db, run!.id)).toMatchObject({ state: 'SUCCEEDED', attempt: 2 });
  const attempts = await db.attempt.findMany({ where: { runId: run!.id }, orderBy: { number: 'asc' } });
  expect(attempts).toMatchObject([{ state: 'PRUNED' }, { state: 'SUCCEEDED', resumedFromStep: expect.anything() }]);
  expect((await pointsOf(db, run!.id, 'loss')).map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);

  const words = ['sweep', 'create', '--method', 'random', '--trials', '2', '--metric', 'score', '--goal', 'maximize'];
  const program = ['sh', '-c', 'echo "warren: {\\"score\\": $1}"', 'sh', '{optimizer.x}'];
  const variables = { WARREN_API_URL: api.url, WARREN_TOKEN: token };
  const { stdout } = await runWarren(
    [...words, '--no-code', '--set', 'optimizer.x=uniform(0,1)', '--wait', '--json', '--', ...program],
    variables,
    { folder: temporaryFolder() },
  );
  const told = JSON.parse(stdout);
  expect(told.trials.map(({ objective }: { objective: number }) => objective)).toEqual(
    told.trials.map(({ point }: { point: Record<string, number> }) => point['optimizer.x']),
  );
  const nested = await ask(
    '{ runs(first: 9, filter: "config.optimizer.x >= 0") { edges { node { configuration { parameters } } } } }',
    {},
    token,
  );
  expect(
    nested.data.runs.edges.map(
      ({ node }: { node: { configuration: { parameters: unknown } } }) => node.configuration.parameters,
    ),
  ).toMatchObject(told.trials.map(() => ({ optimizer: { x: expect.any(Number) } })));
});

it('says why the trials of a sweep failed, and that runs of several seeds may not differ', async () => {
  await worker;
  const variables = { WARREN_API_URL: api.url, WARREN_TOKEN: token };
  const warren = async (...words: string[]) => await runWarren(words, variables, { folder: temporaryFolder() });
  const drawn = ['--no-code', '--trials', '1', '--metric', 'score', '--goal', 'maximize', '--set', 'x=uniform(0,1)'];
  const made = await warren('sweep', 'create', ...drawn, '--wait', '--json', '--', 'no-such-program', '{x}');
  const { number } = JSON.parse(made.stdout);
  expect((await warren('sweep', 'show', String(number))).stdout).toMatch(
    /^trial 0 failed: #\d+: the program "no-such-program" cannot be started/m,
  );
  const same = await warren('run', '--no-code', '--seeds', '1-2', '--', 'true');
  expect(same.stderr).toContain('warren: no argument of the command has {seed}');
  const other = await warren('run', '--no-code', '--seeds', '1-2', '--', 'true', '{seed}');
  expect(other.stderr).not.toContain('{seed}');
});
