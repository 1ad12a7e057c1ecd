import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { crc32c } from '#src/imports/crc32c.ts';
import { looseTimeMs, parseLooseJson } from '#src/imports/looseNumbers.ts';
import { mlflowRuns } from '#src/imports/mlflow.ts';
import { artifactsFolder } from '#src/imports/mlflowArtifacts.ts';
import { tensorboardRuns } from '#src/imports/tensorboard.ts';
import { readWandbLog } from '#src/imports/wandbLog.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { project, READERS, readAll, SAMPLES, unpacked, wandbFile } from './readSources.ts';

const folder = temporaryFolder();
const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

describe('TensorBoard', () => {
  it('gives scalars of both forms, times, and what there is to look at', async () => {
    const [train, valid] = await readAll(READERS.tensorboard!(join(SAMPLES, 'tensorboard')));
    expect([train!.label, valid!.label]).toEqual(['one/train', 'one/valid']);
    const losses = Array.from({ length: 20 }, (_, step) => [
      step,
      Math.fround(1 / (step + 1)),
      1.7e12 + 250 + step * 1000,
    ]);
    expect(train!.points.loss).toEqual(losses);
    const values = train!.points['odd/values']!;
    expect(values.map(([step]) => step)).toEqual([0, 1, 2, 2 ** 53, 3]);
    expect(values.map(([, value]) => value)).toEqual([...odd, 5, Math.fround(1e-45)]);
    expect(train!.items).toMatchObject([
      { media: { name: 'note/text_summary', kind: 'text', step: 3, content: Buffer.from('hello\nworld') } },
      { media: { name: 'weights', kind: 'histogram', step: 4, content: null } },
      { media: { name: 'picture', kind: 'image', step: 5, mediaType: 'image/png' } },
    ]);
    expect(valid!.points.accuracy!.map(([step, value]) => [step, value])).toEqual([
      ...[0, 1, 2, 3, 4].map((step) => [step, Math.fround(step / 10)]),
      [2, 0.75],
    ]);
    expect(valid!.facts.parameters).toEqual({ lr: 0.1, optimizer: 'adam', nesterov: true });
  });

  it('goes on where it was while a file grows, and says where one is torn', async () => {
    const growing = join(folder, 'growing');
    cpSync(join(SAMPLES, 'tensorboard', 'one', 'train'), growing, { recursive: true });
    const path = join(growing, 'events.out.tfevents.1700000000.host.1.0');
    const whole = readFileSync(path);
    const options = { project, known: new Map() };
    writeFileSync(path, whole.subarray(0, 700));
    const [early] = await readAll(tensorboardRuns(growing, options));
    expect(early!.warnings).toEqual([`${path}: the file ends within a record, at byte 668: all before it is imported`]);
    writeFileSync(path, whole);
    const [late] = await readAll(tensorboardRuns(growing, options));
    expect(late!.id).toBe(early!.id);
    expect(late!.warnings).toEqual([]);
    expect([...early!.points.loss!, ...late!.points.loss!].map(([step]) => step)).toEqual(
      Array.from({ length: 20 }, (_, step) => step),
    );
    const damaged = Buffer.from(whole);
    damaged[690]! ^= 1;
    writeFileSync(path, damaged);
    const [torn] = await readAll(tensorboardRuns(growing, { project }));
    expect(torn!.warnings).toEqual([
      `${path}: the content of a record is damaged, at byte 668: all before it is imported`,
    ]);
  });

  it('checks with CRC-32C', () => {
    // RFC 3720, appendix B.4
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
    expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e);
  });
});

describe('MLflow', () => {
  it.each(['files', 'database'])('gives runs of its %s exactly', async (store) => {
    const path = store === 'files' ? join(SAMPLES, 'mlflow', 'mlruns') : unpacked('mlflow/mlflow.db.gz', folder);
    const runs = await readAll(READERS.mlflow!(path));
    const small = runs.find(({ label }) => label === 'small')!;
    expect(small.points).toEqual({
      below: [[-2, 1.5, 1_700_000_003_000]],
      odd: odd.map((value, step) => [step, value, 1_700_000_004_000]),
      'valid/loss': expect.arrayContaining([
        [3, 0.25, 1_700_000_001_003],
        [3, 0.125, 1_700_000_002_000],
      ]),
    });
    expect(small.facts).toMatchObject({
      ...{ state: 'SUCCEEDED', startedMs: 1_700_000_000_123, endedMs: 1_700_000_060_456, seed: 7, notes: 'all well' },
      parameters: { lr: 0.1, net: { layers: 2 }, 'odd param': 'tru: e\nline' },
      environment: { tags: { team: 'blue' }, import: { experiment: 'digits' } },
    });
    expect(runs.find(({ label }) => label === 'broken')!.facts).toMatchObject({
      state: 'FAILED',
      parameters: { lr: 1 },
    });
  });
});

it('says how many deleted runs and registered models of MLflow’s store it leaves out, and takes deleted ones where asked', async () => {
  const store = join(folder, 'with-deleted');
  cpSync(join(SAMPLES, 'mlflow', 'mlruns'), store, { recursive: true });
  mkdirSync(join(store, 'models', 'ranker'), { recursive: true });
  writeFileSync(join(store, 'models', 'ranker', 'meta.yaml'), 'name: ranker\n');
  const meta = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\w{32}.meta\.yaml$/.test(name),
  );
  const deleted = join(store, meta[0]!);
  writeFileSync(deleted, readFileSync(deleted, 'utf8').replace('lifecycle_stage: active', 'lifecycle_stage: deleted'));
  const path = unpacked('mlflow/mlflow.db.gz', join(folder, 'with-deleted'));
  writeFileSync(path, readFileSync(path).fill(1, 18, 20)); // no write-ahead log
  const database = new sqlite.Database(path);
  database.exec(`UPDATE runs SET lifecycle_stage = 'deleted' WHERE name = 'broken';
    CREATE TABLE registered_models (name TEXT); INSERT INTO registered_models VALUES ('a'), ('b')`);
  database.close();
  for (const [source, models] of [
    [store, '1 registered model is not imported'],
    [path, '2 registered models are not imported'],
  ] as const) {
    const told: string[] = [];
    const some = await readAll(mlflowRuns(source, { project, onLeftOut: (text) => void told.push(text) }));
    expect(told).toEqual(['1 deleted run is left out: --deleted takes them, too', expect.stringContaining(models)]);
    const all = await readAll(mlflowRuns(source, { project, deleted: true }));
    expect([some.length, all.length]).toEqual([1, 2]);
    expect(all.flatMap(({ facts }) => facts.tags ?? [])).toEqual(['deleted in MLflow']);
  }
});

it('gives the runs of MLflow’s files as they began, whatever their folders are called, so that their numbers follow', async () => {
  const store = join(folder, 'in-order');
  const begun = [3, 1, 4, 2];
  for (const [index, start] of begun.entries()) {
    const experiment = join(store, String(index % 2));
    const run = join(experiment, String(index).repeat(32));
    mkdirSync(run, { recursive: true });
    writeFileSync(join(experiment, 'meta.yaml'), `name: e${index % 2}\n`);
    const meta = [`run_id: '${String(index).repeat(32)}'`, `run_name: n${start}`, 'status: 3', `start_time: ${start}`];
    writeFileSync(join(run, 'meta.yaml'), `${meta.join('\n')}\n`);
  }
  const runs = await readAll(READERS.mlflow!(store));
  expect(runs.map(({ label }) => label)).toEqual(['n1', 'n2', 'n3', 'n4']);
});

it('reads files of MLflow’s runs where MLflow puts them, and nowhere else unless it is told', () => {
  const home = join(folder, 'store');
  const id = 'ab'.repeat(16);
  const usual = `mlruns/0/${id}/artifacts`;
  mkdirSync(join(home, usual), { recursive: true });
  mkdirSync(join(home, '.ssh'));
  const place = { home, allowed: null };
  const inside = join(realpathSync(home), usual);
  expect(artifactsFolder(`./${usual}`, id, place)).toEqual({ folder: inside });
  expect(artifactsFolder(`file://${inside}`, id, place)).toEqual({ folder: inside });
  expect(artifactsFolder('mlruns/0/other/artifacts', 'other', place)).toBeNull();
  expect(artifactsFolder(`gone/${usual}`, id, place), 'there never was a file').toBeNull();
  const warning = expect.stringMatching(/not read/);
  for (const uri of [join(home, '.ssh'), '..', 's3://x/y', 'file://host/x', `../gone/${usual}`]) {
    expect(artifactsFolder(uri, id, place)).toEqual({ warning });
  }
  expect(artifactsFolder(inside, id, { home, allowed: join(home, '.ssh') })).toEqual({ warning });
  expect(artifactsFolder(inside, id, { home: join(home, '.ssh'), allowed: home })).toEqual({ folder: inside });
});

it('gives an offline run of W&B', async () => {
  const [run] = await readAll(READERS.wandb!(join(SAMPLES, 'wandb')));
  expect(
    Object.fromEntries(Object.entries(run!.points).map(([name, points]) => [name, points.map(([s, v]) => [s, v])])),
  ).toEqual({
    'train/loss': [0, 1, 2, 3, 4, 5].map((step) => [step, 1 / (step + 1)]),
    odd: [...odd, 1, 2, 3].map((value, step) => [step, value]),
    late: [[10, 4]],
    flag: [[10, 1]],
    best: [[10, 0.5]],
  });
  expect(run!.items).toMatchObject([
    { media: { name: 'word', kind: 'text', step: 10, content: null, metadata: { text: 'text' } } },
  ]);
  expect(run!.facts).toMatchObject({
    ...{ name: 'small', tags: ['first'], notes: 'all well', state: 'SUCCEEDED' },
    parameters: { lr: 0.1, net: { layers: [2, 3] }, batch: 64 },
  });
});

it.each([
  ['{"username":"ada","email":"ada@example.com","host":"h"}', 'ada'],
  ['{"username":7,"email":"ada@example.com"}', 'ada@example.com'],
  ['{"host":"h"}', undefined],
  ['{"username":', undefined],
])('names who started an offline run of W&B as its metadata tells: %s', async (metadata, user) => {
  const source = join(folder, 'wandb');
  cpSync(join(SAMPLES, 'wandb'), source, { recursive: true });
  mkdirSync(join(source, 'files'), { recursive: true });
  writeFileSync(join(source, 'files', 'wandb-metadata.json'), metadata);
  const [run] = await readAll(READERS.wandb!(source));
  expect(run!.facts.user).toBe(user);
});

it('joins records of W&B that lie in several blocks, and says where the file ends within one', () => {
  const records = [10, 70_000, 32_740, 3, 32_754, 100_000].map((size, index) => Buffer.alloc(size, index + 1));
  const bytes = wandbFile(records);
  const path = join(folder, 'blocks.wandb');
  const read = (content: Buffer) => {
    writeFileSync(path, content);
    const log = readWandbLog(path);
    const found: Buffer[] = [];
    for (let next = log.next(); ; next = log.next()) {
      if (next.done === true) return { found, end: next.value };
      found.push(Buffer.from(next.value));
    }
  };
  const whole = read(bytes);
  expect([whole.found.length, whole.end]).toEqual([records.length, null]);
  expect(whole.found.every((record, index) => record.equals(records[index]!))).toBe(true);
  const torn = read(bytes.subarray(0, bytes.length - 1));
  expect([torn.found.length, torn.end]).toEqual([
    5,
    expect.stringMatching(/^the file ends within a record, at byte \d+$/),
  ]);
});

it('gives runs of Trackio and of Neptune’s exporter', async () => {
  const [trackio] = await readAll(READERS.trackio!(unpacked('trackio/mine.db.gz', folder)));
  expect(trackio!.points.odd!.map(([step, value]) => [step, value])).toEqual(
    [...odd, 1, 2, 3].map((v, step) => [step, v]),
  );
  expect(trackio!.points['train/loss']![2]).toEqual([2, 1 / 3, Date.parse('2026-11-23T01:59:31.519Z')]);
  expect(trackio!.facts).toMatchObject({ name: 'small', parameters: { lr: 0.1 } });
  const [neptune] = await readAll(READERS.neptune!(join(SAMPLES, 'neptune')));
  const at = Date.parse('2025-01-02T03:04:05.678Z');
  expect(neptune!.points).toEqual({
    'train/loss': [0.5, ...odd].map((value, step) => [step, value, at + step * 1000]),
  });
  expect(neptune!.facts).toMatchObject({ name: 'small', tags: ['first'], startedMs: at });
  expect(neptune!.facts.parameters).toEqual({ 'params/lr': 0.1, 'params/layers': 2, 'params/nesterov': true });
  expect(neptune!.warnings).toEqual(['RUN-1: 1 values of type float_series with a broken step are left out']);
});

it('reads what a write-ahead log of SQLite has committed, and nothing else', async () => {
  const path = unpacked('log/logged.db.gz', folder);
  const log = unpacked('log/logged.db-wal.gz', folder);
  const steps = async () => {
    const [run] = await readAll(READERS.trackio!(path));
    return run!.points.loss!.map(([step, value]) => [step, value]);
  };
  const until = (end: number) => Array.from({ length: end }, (_, step) => [step, step / 4]);
  expect(await steps()).toEqual(until(40));
  // cut at the last page of the second transaction: its frame says how large the database is (fileformat.html, 4.1)
  const whole = readFileSync(log);
  const commits: number[] = [];
  for (let at = 32; at + 24 + 512 <= whole.length; at += 24 + 512) {
    if (whole.readUInt32BE(at + 4) > 0) commits.push(at);
  }
  writeFileSync(log, whole.subarray(0, commits.at(-1)! + 100));
  expect(await steps()).toEqual(until(20));
});

it('reads times and JSON as Python writes them', () => {
  expect(parseLooseJson('{"a": [NaN, -Infinity], "b": "NaN \\" Infinity"}')).toEqual({
    a: ['NaN', '-Infinity'],
    b: 'NaN " Infinity',
  });
  expect([1.5, 1_700_000_000_123, '1700000000.25', '2025-01-01', 'x'].map(looseTimeMs)).toEqual([
    ...[1_500, 1_700_000_000_123, 1_700_000_000_250, Date.UTC(2025, 0, 1), null],
  ]);
});
