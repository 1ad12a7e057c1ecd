import { expect, it } from 'vitest';
import { cancelRuns } from '#src/runs/cancelRuns.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { runsReach } from '../runtime/runFacts.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { runWarren } from '../support/warrenCommand.ts';
import { commandsForTests } from './commandsForTests.ts';

const { api, db, context, token, startWorker, run, queueOne, linesOf } = await commandsForTests();
const bearer = { authorization: `Bearer ${token}` };

async function ask(query: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await api.graphql(query, variables, bearer);
  if (errors.length > 0) throw new Error(errors[0]!.message);
  return data;
}

const put = (source: string, name: string, body: string) =>
  api.fetch(`/artifacts/${source}/${name}`, { method: 'PUT', body, headers: bearer });

/** A run of a project that is still under way, with these files. */
async function runWith(project: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { createRun } = await ask('mutation ($p: String!) { createRun(input: { project: $p }) { id } }', {
    p: project,
  });
  for (const [name, body] of Object.entries(files)) await put(createRun.id, name, body);
  return createRun.id;
}

const REGISTER = 'mutation ($input: RegisterVersionInput!) { registerVersion(input: $input) { number } }';
const register = (name: string, runId: string, artifactName: string, aliases: string[] = []) =>
  ask(REGISTER, { input: { name, runId, artifactName, aliases } });
const finish = (runId: string) => ask('mutation ($id: ID!) { finishRun(runId: $id) { id } }', { id: runId });
const ENQUEUE = 'mutation ($input: EnqueueCommandInput!) { enqueueCommand(input: $input) { id state } }';
const show = [
  'sh',
  '-c',
  'cd "$WARREN_INPUT_DIR" && find . -type f | sort | while read f; do echo "$f $(cat $f)"; done',
];

const source = await runWith('shop', { 'model.txt': 'five epochs', 'net/a.bin': 'first', 'net/b.bin': 'second' });
await register('ranker', source, 'model.txt', ['production']);
await register('net', source, 'net');

it('a program finds versions and files of runs as they were when it was queued, whatever aliases mean later', async () => {
  const other = await runWith('shop', { 'x.csv': '1,2' });
  const words = ['run', '--seeds', '1-2', '--no-code', '--json', '--project', 'shop'];
  const inputs = ['model.txt=ranker@production', 'net=net:latest', `data/x.csv=${other}:x.csv`];
  const { stdout } = await runWarren([...words, ...inputs.flatMap((input) => ['--input', input]), '--', ...show], {
    ...{ WARREN_API_URL: api.url, WARREN_TOKEN: token },
  });
  const queued: { id: string; state: string }[] = JSON.parse(stdout);
  expect(queued.map(({ state }) => state)).toEqual(['WAITING', 'WAITING']);
  await put(source, 'model.txt', 'ten epochs');
  await register('ranker', source, 'model.txt', ['production']);
  await finish(other);
  await startWorker();
  await runsReach(db, queued);
  for (const each of queued) {
    const lines = ['./data/x.csv 1,2', './model.txt five epochs', './net/a.bin first', './net/b.bin second'];
    expect(await linesOf(each)).toEqual(lines);
  }
  const { run: taker } = await ask(
    'query ($id: ID!) { run(id: $id) { state inputs { name version } usedVersions { name number } } }',
    { id: queued[0]!.id },
  );
  expect(taker).toEqual({
    state: 'SUCCEEDED',
    inputs: [
      { name: 'data/x.csv', version: null },
      { name: 'model.txt', version: 'ranker:1/model.txt' },
      { name: 'net/a.bin', version: 'net:1/a.bin' },
      { name: 'net/b.bin', version: 'net:1/b.bin' },
    ],
    usedVersions: [
      { name: 'net', number: 1 },
      { name: 'ranker', number: 1 },
    ],
  });
});

it('a sweep gives every trial the content that it was started with', async () => {
  const file = {
    method: 'grid',
    parameters: { lr: { values: [1, 2] } },
    command: [...show, '{lr}'],
    inputs: { 'model.txt': 'ranker:1' },
    project: 'shop',
  };
  const { createSweep } = await ask(
    'mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { id } } }',
    {
      file,
    },
  );
  const runs = await waitUntil('both trials', async () => {
    const { sweep } = await ask('query ($id: ID!) { sweep(id: $id) { trials { runs { id } } } }', {
      id: createSweep.sweep.id,
    });
    const ids: { id: string }[] = sweep.trials.flatMap((trial: { runs: { id: string }[] }) => trial.runs);
    return ids.length === 2 ? ids : null;
  });
  await runsReach(db, runs);
  for (const trial of runs) expect(await linesOf(trial)).toEqual(['./model.txt five epochs']);
});

it('a sweep pauses, and says why, when an input of its trials is gone', async () => {
  await put(source, 'passing.txt', 'first');
  await register('passing', source, 'passing.txt');
  const file = {
    ...{ method: 'grid', parameters: { lr: { values: [1, 2] } }, concurrency: 1, project: 'shop', labels: ['nowhere'] },
    ...{ command: ['echo', '{lr}'], inputs: { m: 'passing:1' } },
  };
  const { createSweep } = await ask(
    'mutation ($file: JSON!) { createSweep(input: { file: $file }) { sweep { id } } }',
    {
      file,
    },
  );
  const { id } = createSweep.sweep;
  const { pauseSweep } = await ask('mutation ($id: ID!) { pauseSweep(id: $id) { trials { runs { id } } } }', { id });
  await cancelRuns(context, [pauseSweep.trials[0].runs[0].id]);
  await ask('mutation { deleteRegistryVersion(version: "passing:1") }');
  await put(source, 'passing.txt', 'second');
  await ask('mutation ($id: ID!) { resumeSweep(id: $id) { id } }', { id });
  const paused = await waitUntil('the pause', async () => {
    const { sweep } = await ask('query ($id: ID!) { sweep(id: $id) { state reason trials { number } } }', { id });
    return sweep.state === 'PAUSED' ? sweep : null;
  });
  expect(paused).toMatchObject({ reason: expect.stringContaining('is registered no more'), trials: [{ number: 0 }] });
});

it('what cannot be had, or cannot be a file, is refused', async () => {
  const refused = async (inputs: object[]) =>
    (await api.graphql(ENQUEUE, { input: { command: ['true'], inputs } }, bearer)).errors[0]?.message;
  const version = 'ranker:1';
  expect(await refused([{ name: '../model', version }])).toContain('inputs[0].name: expected a file such as');
  expect(
    await refused([
      { name: 'a', version },
      { name: 'a/b', version },
    ]),
  ).toContain('"a" is a file');
  expect(await refused([{ name: 'm', version: 'ranker@none' }])).toContain('ranker has no alias "none"');
  expect(await refused([{ name: 'm', runId: '99999', artifactName: 'x' }])).toContain('there is no run 99999');
  await runWith('elsewhere', {});
  const { token: narrow } = await issueToken(context, {
    ...{ name: 'narrow', role: 'WRITE' as const },
    grants: [{ project: 'elsewhere', role: 'WRITE' as const, mayQueueCommands: true }],
  });
  const input = { project: 'elsewhere', command: ['true'], inputs: [{ name: 'm', version }] };
  const answer = await api.graphql(ENQUEUE, { input }, { authorization: `Bearer ${narrow}` });
  expect(answer.errors[0]?.message).toContain('no model or dataset is registered as "ranker"');
});

it('the token of a program reads its inputs and what it uses of its project, and nothing else', async () => {
  const theirs = await runWith('theirs', { 'secret.txt': 'secret', 'open.txt': 'given' });
  await register('theirs', theirs, 'secret.txt');
  await register('given', theirs, 'open.txt');
  await put(theirs, 'open.txt', 'newer');
  const script = `import os, sys, urllib.request, warren
def status(path):
    request = urllib.request.Request(os.environ["WARREN_API_URL"] + path, headers={"authorization": "Bearer " + os.environ["WARREN_TOKEN"]})
    try: return urllib.request.urlopen(request).read().decode()
    except urllib.error.HTTPError as error: return error.code
source, theirs = sys.argv[1:]
print(status("/artifacts/%s/model.txt" % source), status("/artifacts/%s/open.txt" % theirs))
print(open(warren.use_artifact("ranker:1")).read(), open(os.path.join(os.environ["WARREN_INPUT_DIR"], "m")).read())
run = warren.init()
print(open(run.use_artifact("net:1") + "/b.bin").read(), status("/artifacts/%s/model.txt" % source))
try: warren.use_artifact("theirs:1")
except Exception as error: print(error)
run.finish()
`;
  const ended = await run(['python3', '-c', script, source, theirs], {
    ...{ project: 'shop', inputs: [{ name: 'm', version: 'given:1' }] },
  });
  const lines = (await linesOf(ended)).filter((line) => !line.startsWith('warren:'));
  expect([ended.state, ...lines]).toEqual([
    'SUCCEEDED',
    '403 403',
    'five epochs given',
    'second 403',
    expect.stringContaining('no model or dataset is registered as "theirs"'),
  ]);
  const { run: taker } = await ask('query ($id: ID!) { run(id: $id) { usedVersions { name } } }', { id: ended.id });
  expect(taker.usedVersions).toEqual([{ name: 'given' }, { name: 'net' }, { name: 'ranker' }]);
});

it('an input that never comes fails the run that waits for it, with the reason', async () => {
  const lost = await queueOne({ command: ['true'], labels: ['nowhere'] });
  const waiting = await queueOne({ command: ['true'], inputs: [{ name: 'x', runId: lost.id, artifactName: 'x' }] });
  expect(waiting.state).toBe('WAITING');
  await cancelRuns(context, [lost.id]);
  const [ended] = await runsReach(db, [waiting]);
  expect(ended).toMatchObject({ state: 'FAILED', errorMessage: expect.stringContaining('which was cancelled') });
});
