import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '#src/base/platform/processes/processTree.ts';
import { drainWorker } from '#src/fleet/drainWorker.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import type { EnqueueCommandInput } from '#src/programs/enqueueCommand.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { attemptsOf, pointsOf, runOf, runsReach } from '../runtime/runFacts.ts';
import type { TestProgram } from '../runtime/testWorkers.ts';
import { selectWorkers } from '#src/fleet/store/workerRecord.ts';
import { childrenOf } from '../support/childrenOf.ts';
import { slowness } from '../support/slowness.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { waitUntil } from '../support/waitUntil.ts';
import type { ChildEnd } from '../support/childOutput.ts';
import { runWarren } from '../support/warrenCommand.ts';
import { commandsForTests } from './commandsForTests.ts';
import { runWithMissingPackage, runWithPackages } from './runWithPackages.ts';

const { api, db, home, context, token, startWorker, queue, queueOne, run, linesOf } = await commandsForTests();
let workers: Promise<TestProgram>[] = [];
/** Runs under way that install packages, which takes its time. */
let packages: Promise<ChildEnd> | null = null;
const shell = (script: string) => ['sh', '-c', script];

/** `Z` for a process that has ended and whose parent does not look. */
const stateOf = (pid: number) => / ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\)/, ''))?.[1];

/** The process id that a run's program has printed. */
const pidOf = async (id: string) =>
  Number(await waitUntil('its process id', async () => (await linesOf({ id })).find((line) => /^\d+$/.test(line))));

describe('before there is a worker that executes commands', () => {
  const mutation = 'mutation ($input: EnqueueCommandInput!) { enqueueCommand(input: $input) { warnings } }';
  const ask = (input: object, bearer = token) =>
    api.graphql(mutation, { input: { command: ['true'], ...input } }, { authorization: `Bearer ${bearer}` });

  it('queueing one needs a right of its own, which no role includes', async () => {
    const { token: admin } = await issueToken(context, { name: 'admin', role: 'ADMIN' });
    expect((await ask({}, admin)).errors[0]).toMatchObject({
      extensions: { code: 'FORBIDDEN' },
      message: expect.stringContaining('--commands'),
    });
    const put = await api.fetch('/code', { method: 'PUT', headers: { authorization: `Bearer ${admin}` }, body: 'x' });
    expect(put.status).toBe(403);
  });

  it.each([
    [{ command: ['train', '{lr}'] }, 'command[1]: {lr} has no value'],
    [{ parameters: { code: 1 } }, 'parameters.code: choose another name'],
    [{ folder: '../x' }, 'is not a path inside the archive'],
    [{ gpus: -1 }, 'gpus: received -1'],
    [{ code: 'a'.repeat(64) }, 'is not here'],
    [{ code: 'a' }, 'expected the 64 hexadecimal digits'],
    [{ environment: 'conda' }, 'environment'],
  ])('%j is refused', async (input, message) => {
    expect((await ask(input)).errors[0]?.message).toContain(message);
  });

  it('a command waits, and says for what', async () => {
    const { data } = await ask({ gpus: 8 });
    expect(data.enqueueCommand[0].warnings[0]).toContain('warren worker --allow-commands');
    const variables = { AWS_SECRET_ACCESS_KEY: 'not for programs', WARREN_LABELS: 'ssd' };
    workers = [startWorker(variables), startWorker(variables)];
    await Promise.any(workers);
    packages = runWithPackages({ WARREN_API_URL: api.url, WARREN_TOKEN: token });
    const waiting = await ask({ gpus: 8, labels: ['ssd'] });
    expect(waiting.data.enqueueCommand[0].warnings).toEqual([
      'the run waits for a worker that executes commands with 8 GPUs, and none is alive',
    ]);
    await cancelRuns(context, ['1', '2']);
  });
});

describe('a program in Python, queued with three seeds', () => {
  const folder = join(temporaryFolder(), 'project');
  const script = `import os, sys, warren
assert os.path.exists("../data.txt") and not os.path.exists("../ignored.txt")
print("argument", sys.argv[1])
print('warren: {"train/loss": 0.5, "step": 3, "inner": {"nan": NaN}}')
run = warren.init(project="elsewhere", config={"width": 8})
for step in range(3):
    run.log({"valid/score": step + run.seed}, step=step)
run.log_text("through the client")
with open("model.txt", "w") as file:
    file.write("weights")
run.log_artifact("model.txt")
`;

  it('brings its files along once, and logs into its own runs, which are replicates', async () => {
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, '.gitignore'), 'ignored.txt\n');
    for (const name of ['data.txt', 'ignored.txt']) writeFileSync(join(folder, name), name);
    writeFileSync(join(folder, 'src', 'train.py'), script);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const words = ['run', '--name', 'mine', '--project', 'p', '--seeds', '1-3', '--set', 'lr=0.1', '--wait', '--json'];
    const variables = { WARREN_API_URL: api.url, WARREN_TOKEN: token };
    const { stdout, stderr, code } = await runWarren(
      [...words, '--', 'python3', 'train.py', '--lr={lr}', '{seed}'],
      variables,
      {
        folder: join(folder, 'src'),
      },
    );
    expect([code, stderr.includes('failed')]).toEqual([0, false]);
    const runs: { id: string; number: number; seed: number }[] = JSON.parse(stdout);
    const records = await Promise.all(runs.map(({ id }) => runOf(db, id)));
    expect(new Set(records.map(({ configurationHash }) => configurationHash)).size).toBe(1);
    for (const { id, seed } of runs) {
      expect(await pointsOf(db, id, 'valid/score')).toEqual([0, 1, 2].map((step) => ({ step, value: step + seed })));
      expect(await pointsOf(db, id, 'train/loss')).toEqual([{ step: 3, value: 0.5 }]);
      expect(await pointsOf(db, id, 'inner/nan')).toEqual([{ step: 3, value: Number.NaN }]);
      // where the machine is slow the program says what it still sends
      const lines = (await linesOf({ id })).filter((line) => !line.startsWith('warren: sends the rest to '));
      const told = [/^warren: init: the run stays in project p,/, /^warren: run \d+ at/].map((line) =>
        expect.stringMatching(line),
      );
      expect(lines).toEqual(['argument --lr=0.1', ...told, 'through the client']);
    }
    const { data } = await api.graphql(
      `{ run(id: "${runs[0]!.id}") { project { name } environment configuration { kind parameters } artifacts { name role } } }`,
      {},
      { authorization: `Bearer ${token}` },
    );
    expect(data.run).toMatchObject({
      project: { name: 'p' },
      environment: { config: { width: 8 }, codeBranch: expect.any(String) },
      configuration: { kind: 'command', parameters: { lr: 0.1, folder: 'src' } },
    });
    const compared = await api.graphql(
      `{ compareRuns(ids: ${JSON.stringify(runs.slice(0, 2).map(({ id }) => id))}) { fields { path differs } environment { path } } }`,
      {},
      { authorization: `Bearer ${token}` },
    );
    const differing = compared.data.compareRuns.fields.filter(({ differs }: { differs: boolean }) => differs);
    expect(differing.map(({ path }: { path: string }) => path)).toEqual(['seed']);
    const facts = compared.data.compareRuns.environment.map(({ path }: { path: string }) => path);
    expect(facts.filter((path: string) => path === 'arguments' || path.startsWith('config.'))).toEqual([]);
    const found = await api.graphql(
      `{ runs(filter: "config.widht = 8") { hints } runColumns(project: "p") { configuration } }`,
      {},
      { authorization: `Bearer ${token}` },
    );
    expect(found.data.runColumns.configuration).toContain('parameters.width');
    expect(found.data.runs.hints).toEqual(['no run has config.widht. Did you mean "config.width"?']);
    expect(data.run.artifacts).toEqual(
      expect.arrayContaining([
        { name: 'code.tar.gz', role: 'code' },
        { name: 'model.txt', role: 'output' },
      ]),
    );
    expect(await db.$queryRaw`SELECT count(*)::int AS projects FROM project WHERE name = 'elsewhere'`).toEqual([
      { projects: 0 },
    ]);
    const archives = await db.$queryRaw`
      SELECT count(DISTINCT sha256)::int AS n FROM artifact
      WHERE role = 'code' AND run_id = ANY(${runs.map(({ id }) => id)}::uuid[])`;
    expect(archives).toEqual([{ n: 1 }]);
  });
});

describe('the packages that a program asks for', () => {
  it('are installed once for each content of the file', async () => {
    const { stdout, code } = await packages!;
    expect(code).toBe(0);
    const runs: { id: string }[] = JSON.parse(stdout);
    const lines = (await Promise.all(runs.map((each) => linesOf(each)))).flat().sort();
    expect(lines).toEqual([
      '42',
      '42',
      'environment: installs the packages of requirements.txt',
      'environment: the packages of requirements.txt are there already',
    ]);
  });

  it('fail the run in the words of pip where there are none', async () => {
    const { code, stderr } = await runWithMissingPackage({ WARREN_API_URL: api.url, WARREN_TOKEN: token });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the packages of requirements.txt cannot be installed: ERROR: No matching distribution found for no-such-package==1.5; ',
    );
  });
});

/** Ways to end badly: how, the command, what it needs, the code and a part of the message. */
const ENDINGS: [string, string[], Partial<EnqueueCommandInput>, string, string][] = [
  ['by its exit code', shell('echo no >&2; echo such file >&2; exit 3'), {}, 'RUN_FAILED', 'exit code 3: such file'],
  ['by kill -9', shell('kill -9 $$'), {}, 'RUN_FAILED', 'ended by the signal SIGKILL'],
  ['before it has begun', ['no-such-program'], {}, 'RUN_FAILED', '"no-such-program" cannot be started: there is none'],
  ['at its time limit', shell('sleep 60'), { seconds: 1 }, 'TIMED_OUT', 'time limit of 1 s was reached'],
  [
    'at its memory limit',
    ['python3', '-c', 'import time; block = bytearray(150_000_000); time.sleep(60)'],
    { memoryMb: 64 },
    'OUT_OF_MEMORY',
    'more than the 64.0 MiB that it asked for',
  ],
];

describe('a program that ends badly', () => {
  let ends: Promise<RunRecord>[] = [];
  beforeAll(() => {
    ends = ENDINGS.map(([, command, input]) => run(command, input));
  });

  it.each(ENDINGS)('%s says so in its run', async (how, _command, _input, code, message) => {
    const ended = await ends[ENDINGS.findIndex(([name]) => name === how)]!;
    expect(ended).toMatchObject({ state: 'FAILED', errorCode: code, attempt: 1 });
    expect(ended.errorMessage).toContain(message);
  });
});

describe('a program that is executed', () => {
  it('knows its run, and no secret of its worker', async () => {
    const ended = await run(shell('env; tr "\\0" "\\n" < /proc/$PPID/environ'), { seeds: [7] });
    const lines = await linesOf(ended);
    expect(ended.state).toBe('SUCCEEDED');
    expect(lines).toContain(`WARREN_RUN_ID=${ended.id}`);
    expect(lines).toContain('WARREN_SEED=7');
    expect(lines).toContain('CUDA_VISIBLE_DEVICES=');
    const text = lines.join('\n');
    for (const secret of ['DATABASE_URL', 'postgresql:', 'AWS_SECRET', 'not for programs', token]) {
      expect([secret, text.includes(secret)]).toEqual([secret, false]);
    }
  });

  it('is ended with everything it has started within two seconds when it is cancelled', async () => {
    const { id } = await queueOne({ command: shell('trap "" TERM; sleep 61 & echo $!; wait; sleep 62') });
    const pid = await pidOf(id);
    const startedMs = performance.now();
    await cancelRuns(context, [id]);
    await runsReach(db, [{ id }]);
    expect(performance.now() - startedMs).toBeLessThan(2_000 * slowness());
    expect((await runOf(db, id)).state).toBe('CANCELLED');
    await waitUntil('what it had started has ended', () => !isAlive(pid), 2_000);
  });
});

describe('GPUs', () => {
  it('are given by number, two runs at once on two workers of a machine, and one that needs both waits and is not overtaken', async () => {
    await Promise.all(workers);
    const gate = join(temporaryFolder(), 'gates');
    mkdirSync(gate);
    const command = shell(`echo $CUDA_VISIBLE_DEVICES; while [ ! -e ${gate}/$WARREN_SEED ]; do sleep 0.05; done`);
    const open = (seed: number) => writeFileSync(join(gate, String(seed)), '');
    const small = await queue({ command, gpus: 1, seeds: [1, 2] });
    await runsReach(db, small, { state: 'RUNNING' });
    const both = await queueOne({ command, gpus: 2, seeds: [3] });
    const later = await queueOne({ command, gpus: 1, seeds: [4] });
    const none = await run(['true']);
    expect(none.state).toBe('SUCCEEDED');
    open(1);
    await runsReach(db, small.slice(0, 1));
    expect((await runOf(db, later.id)).state).toBe('QUEUED');
    open(2);
    await runsReach(db, [both], { state: 'RUNNING' });
    expect((await runOf(db, later.id)).state).toBe('QUEUED');
    open(3);
    open(4);
    await runsReach(db, [both, later]);
    const seen = await Promise.all([...small, both].map((each) => linesOf(each)));
    expect(seen.flat().sort()).toEqual(['0', '0,1', '1']);
    expect((await runOf(db, both.id)).gpus).toEqual([0, 1]);
  });
});

describe('when its worker is killed', () => {
  let killed = 0;
  let survivor = '';

  it('though it was drained, the program ends, and goes on elsewhere from its checkpoint folder', async () => {
    const script = `cd $WARREN_CHECKPOINT_DIR; ls
if [ -e done ]; then echo 'warren: {"step": 2, "loss": 1}'; exit 0; fi
echo 'warren: {"step": 1, "loss": 2}'; echo half > done; echo $$; sleep 60`;
    const { id } = await queueOne({ command: shell(script) });
    const pid = await pidOf(id);
    const { workerId: holderId } = await runOf(db, id);
    await waitUntil('the checkpoint', async () => {
      const kept = await db.$queryRaw<
        unknown[]
      >`SELECT FROM artifact WHERE run_id = ${id}::uuid AND role = 'checkpoint'`;
      return kept.length > 0;
    });
    const holder = (await selectWorkers(db, { includeStopped: false })).find(({ id: of }) => of === holderId);
    killed = holder!.pid;
    survivor = (await selectWorkers(db, { includeStopped: false })).find(({ id: of }) => of !== holderId)!.name;
    await drainWorker(context, holder!.name, { draining: true });
    const others = await runsReach(db, await queue({ command: ['true'], seeds: [1, 2, 3] }));
    expect(others.map(({ workerId }) => workerId)).not.toContain(holderId);
    expect((await runOf(db, id)).state).toBe('RUNNING');
    const all = await Promise.all(workers);
    await all.find((worker) => worker.pid === killed)!.kill();
    await waitUntil('the program has ended', () => !isAlive(pid));
    const [ended] = await runsReach(db, [{ id }]);
    expect(ended).toMatchObject({ state: 'SUCCEEDED', attempt: 2 });
    expect(await attemptsOf(db, id)).toMatchObject([{ errorCode: 'WORKER_LOST' }, { resumedFromStep: 1 }]);
    expect(await linesOf({ id })).toContain('done');
    expect(await pointsOf(db, id, 'loss')).toEqual([
      { step: 1, value: 2 },
      { step: 2, value: 1 },
    ]);
  });

  it('or stopped with all that watches over its program, that ends before anybody else may begin it', async () => {
    const { id } = await queueOne({ command: shell('echo $$; sleep 60'), releaseSeconds: 1 });
    const pid = await pidOf(id);
    const worker = (await Promise.all(workers)).find((each) => each.pid !== killed)!;
    const stopped = [worker.pid, ...childrenOf(worker.pid)];
    for (const each of stopped) process.kill(each, 'SIGSTOP');
    await waitUntil('the program has ended', () => !isAlive(pid) || stateOf(pid) === 'Z');
    const left = await db.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM lease_expires_at + interval '1 second' - now())::float8 AS seconds FROM run
      WHERE id = ${id}::uuid AND state = 'RUNNING' AND attempt = 1`;
    expect(left[0]?.seconds).toBeGreaterThan(0);
    for (const each of stopped) if (isAlive(each)) process.kill(each, 'SIGCONT');
    await cancelRuns(context, [id]);
    await runsReach(db, [{ id }]);
  });

  it('one that is drained says when it has finished, and runs wait for it to be undrained', async () => {
    const variables = { WARREN_API_URL: api.url, WARREN_TOKEN: token };
    const refused = await runWarren(['workers', 'drain', survivor], variables);
    expect([refused.code, refused.stderr.includes('--queue')]).toEqual([2, true]);
    const { token: operator } = await issueToken(context, { name: 'operator', role: 'WRITE', mayManageQueue: true });
    const drain = ['workers', 'drain', survivor, '--wait'];
    const { stdout } = await runWarren(drain, { ...variables, WARREN_TOKEN: operator });
    expect(stdout).toContain(`${survivor}: drained`);
    const waiting = await queueOne({ command: ['true'] });
    const { data } = await api.graphql(
      `{ run(id: "${waiting.id}") { waitsFor } workers { name drained } }`,
      {},
      { authorization: `Bearer ${token}` },
    );
    expect(data.run.waitsFor).toBe('a worker that takes new runs (`warren workers undrain`)');
    expect(data.workers).toContainEqual({ name: survivor, drained: true });
    expect((await runOf(db, waiting.id)).state).toBe('QUEUED');
    await drainWorker(context, survivor, { draining: false });
    await runsReach(db, [waiting]);
  });

  it('leaves nothing in its scratch folder', async () => {
    await Promise.all(workers.map(async (worker) => (await worker).stop()));
    const left = readdirSync(join(home, 'scratch')).filter((name) => !name.endsWith(`-${killed}`));
    expect(left).toEqual([]);
  });
});
