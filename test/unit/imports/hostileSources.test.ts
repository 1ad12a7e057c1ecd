import { execFileSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { crc32c, maskedCrc32c } from '#src/imports/crc32c.ts';
import { looseNumber, parseLooseJson } from '#src/imports/looseNumbers.ts';
import { readPickle } from '#src/imports/pickle.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { READERS, readAll, SAMPLES, unpacked, wandbFile } from './readSources.ts';

const folder = temporaryFolder();

/** A field of a protobuf message: bytes with their length. */
function field(number: number, content: Uint8Array): Buffer {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
}

const text = (number: number, content: string) => field(number, Buffer.from(content));

/** A sparse file: it takes no room on the disk. */
function sparse(name: string, bytes: number, start = ''): string {
  const path = join(folder, name);
  writeFileSync(path, start);
  const file = openSync(path, 'r+');
  ftruncateSync(file, bytes);
  closeSync(file);
  return path;
}

describe('a pickle', () => {
  // Lib/pickletools.py: } makes a dictionary, C\0 an empty text of bytes, \x94 remembers what is on top
  it.each([
    ['dictionaries', '}'],
    ['bytes', 'C\0'],
    ['memories', '\x94'],
  ])('of nothing but %s is given up before they fill the memory', (_, code) => {
    const bytes = Buffer.concat([Buffer.from('}'), Buffer.alloc(8_000_000, Buffer.from(code, 'latin1'))]);
    expect(readPickle(Buffer.concat([bytes, Buffer.from('.')]))).toEqual({ seen: [] });
  });

  it('that names one long text in many places gives a configuration that can be kept', async () => {
    const long = Buffer.alloc(1_000_000, 'x');
    const size = Buffer.alloc(4);
    size.writeUInt32LE(long.length);
    const config = 'crecbole.config.configurator\nConfig\n)\x81}(X\x11\0\0\0final_config_dict}(';
    const pickle = Buffer.concat([
      Buffer.from('\x80\x02}(X\x06\0\0\0config', 'latin1'),
      Buffer.from(`${config}X`, 'latin1'),
      ...[size, long, Buffer.from('q\x00N', 'latin1')],
      ...Array.from({ length: 2_000 }, (_, at) =>
        Buffer.from(`X\x04\0\0\0${String(at).padStart(4, 'k')}h\x00`, 'latin1'),
      ),
      Buffer.from('uubu.', 'latin1'),
    ]);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50);
    header.writeUInt16LE(16, 26);
    const path = join(folder, 'long.pth');
    writeFileSync(path, Buffer.concat([header, Buffer.from('archive/data.pkl'), pickle]));
    const [run] = await readAll(READERS.recbole!(path));
    expect(JSON.stringify(run!.facts.parameters).length).toBeLessThan(4_000_000);
  });
});

describe('RecBole’s log', () => {
  it.each(['best valid : ', 'Saving current: ', 'test result: a', 'epoch 0 training ['])(
    'with a line of nothing after "%s" is read in one pass',
    async (start) => {
      const path = join(folder, 'long.log');
      const time = 'Tue 24 Nov 2026 04:53:51  INFO  ';
      writeFileSync(path, `${time}${start}${'a'.repeat(300_000)}\n${time}test result: recall@5 : 0.5\n`);
      const [run] = await readAll(READERS.recbole!(path));
      expect(run!.points['test/recall@5']).toEqual([[0, 0.5, expect.any(Number)]]);
    },
  );
});

it('tells numbers, and JSON with NaN, from long texts in one pass', () => {
  expect(looseNumber(`${'1'.repeat(300_000)}x`)).toBeNull();
  expect(() => parseLooseJson(`[NaN, "${'\\"'.repeat(150_000)}`)).toThrow(SyntaxError);
});

describe('W&B’s offline folder', () => {
  const run = field(17, Buffer.concat([text(1, 'abc'), text(3, 'p')]));
  const item = (name: string, json: string) => field(1, Buffer.concat([text(1, name), text(16, json)]));
  const folderOf = (name: string, records: readonly Buffer[]) => {
    const path = join(folder, name);
    mkdirSync(join(path, 'files', 'media'), { recursive: true });
    writeFileSync(join(path, 'run-abc.wandb'), wandbFile([run, ...records]));
    return path;
  };

  it('gives no file away to which a link of it leads, and no folder', async () => {
    const secret = join(folder, 'secret.png');
    writeFileSync(secret, 'secret');
    const image = (path: string) => JSON.stringify({ _type: 'image-file', path });
    const names = ['linked.png', 'linked/secret.png', 'media', '/etc/hostname', 'own.png'];
    const history = field(2, Buffer.concat(names.map((name, at) => item(`picture${at}`, image(name)))));
    const path = folderOf('linking', [history]);
    symlinkSync(secret, join(path, 'files', 'linked.png'));
    symlinkSync(folder, join(path, 'files', 'linked'));
    writeFileSync(join(path, 'files', 'own.png'), 'own');
    const [read] = await readAll(READERS.wandb!(path));
    expect(read!.items).toMatchObject([{ media: { name: 'picture4' } }]);
    expect(read!.warnings.filter((warning) => warning.startsWith('picture'))).toEqual([
      'picture0 at step 0: linked.png is not read: it lies outside the folder of its run',
      'picture1 at step 0: linked/secret.png is not read: it lies outside the folder of its run',
      'picture2 at step 0: media is not there',
      'picture3 at step 0: /etc/hostname is not there',
    ]);
  });

  it('keeps what it can of objects within objects without end, and of output without a new line', async () => {
    const deep = field(
      2,
      Buffer.concat([item('loss', '1'), item('deep', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)]),
    );
    const output = Array.from({ length: 3_000 }, () => field(4, text(3, `${'#'.repeat(1_000)}\r`)));
    const [read] = await readAll(READERS.wandb!(folderOf('deep', [deep, ...output])));
    expect(read!.points.loss).toEqual([[0, 1, 0]]);
    const lines = read!.items.flatMap((each) => (each.type === 'lines' ? each.lines : []));
    expect(lines.map(({ text: line }) => line.length)).toEqual([100_000]);
  });
});

describe('TensorBoard’s event file', () => {
  const record = (content: Buffer) => {
    const header = Buffer.alloc(12);
    header.writeUInt32LE(content.length);
    header.writeUInt32LE(maskedCrc32c(crc32c(header, 0, 8)), 8);
    const footer = Buffer.alloc(4);
    footer.writeUInt32LE(maskedCrc32c(crc32c(content, 0, content.length)));
    return Buffer.concat([header, content, footer]);
  };
  const scalar = (tag: string) => field(1, Buffer.concat([text(1, tag), Buffer.from([0x15, 0, 0, 0x80, 0x3f])]));
  const file = (name: string, ...records: Buffer[]) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'events.out.tfevents.1'), Buffer.concat(records.map(record)));
    return join(folder, name);
  };

  it.each([
    // one byte each: entries of a tensor, and in two bytes each, texts of one and values of an event
    [
      'numbers',
      field(
        1,
        Buffer.concat([
          text(1, 't'),
          field(8, Buffer.concat([Buffer.from([8, 4]), field(4, Buffer.alloc(3_000_000))])),
        ]),
      ),
    ],
    ['packed numbers', field(1, Buffer.concat([text(1, 't'), field(8, field(11, Buffer.alloc(3_000_000)))]))],
    ['texts', field(1, Buffer.concat([text(1, 't'), field(8, Buffer.alloc(2_000_000, Buffer.from([0x42, 0])))]))],
    ['values', Buffer.alloc(2_000_000, Buffer.from([0x0a, 0]))],
  ])('with a record of millions of %s gives what stands beside it', async (what, values) => {
    const path = file(`many ${what}`, field(5, scalar('before')), field(5, values), field(5, scalar('after')));
    const [run] = await readAll(READERS.tensorboard!(path));
    expect(Object.keys(run!.points)).toEqual(['before', 'after']);
    expect(run!.items).toEqual([]);
    expect(run!.warnings).toEqual([expect.stringContaining('left out')]);
  });

  it('is not waited for where it is a pipe', async () => {
    const path = file('pipe', field(5, scalar('loss')));
    execFileSync('mkfifo', [join(path, 'events.out.tfevents.0')]);
    const [run] = await readAll(READERS.tensorboard!(path));
    expect(Object.keys(run!.points)).toEqual(['loss']);
  });
});

describe('tables and JSON', () => {
  it('say that a quotation without an end, or a line without one, is too long', async () => {
    const quoted = sparse('quoted.csv', 40 * 2 ** 20, 'step,loss\n1,2\n2,"');
    const [table] = await readAll(READERS.csv!(quoted));
    expect(table!.points.loss).toEqual([[1, 2, expect.any(Number)]]);
    expect(table!.warnings).toEqual([expect.stringMatching(/line 3 cannot be read: all before it is imported$/)]);
    const line = sparse('line.jsonl', 70 * 2 ** 20, '{"step": 1, "loss": 2}\n');
    const [lines] = await readAll(READERS.jsonl!(line));
    expect(lines!.points.loss).toEqual([[1, 2, expect.any(Number)]]);
    expect(lines!.warnings).toEqual([expect.stringMatching(/line 2 is no JSON object and is left out$/)]);
    await expect(readAll(READERS.jsonl!(sparse('array.json', 401 * 2 ** 20, '[')))).rejects.toThrow(
      'array.json: an array of more than 400 MiB: write one object a line',
    );
  });

  it('leave out objects within objects without end', async () => {
    const path = join(folder, 'deep.jsonl');
    writeFileSync(path, `{"step": 1, "loss": 2, "deep": ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}\n`);
    const [run] = await readAll(READERS.jsonl!(path));
    expect(run!.points).toEqual({ loss: [[1, 2, expect.any(Number)]] });
  });
});

describe('MLflow’s stores', () => {
  it('of files may have a parameter of any size, which is cut', async () => {
    const store = join(folder, 'mlruns');
    cpSync(join(SAMPLES, 'mlflow', 'mlruns'), store, { recursive: true });
    const before = await readAll(READERS.mlflow!(store));
    const { id } = before[0]!;
    const experiment = execFileSync('find', [store, '-name', 'params', '-type', 'd'], { encoding: 'utf8' }).split(
      '\n',
    )[0]!;
    const large = openSync(join(experiment, 'large'), 'w');
    ftruncateSync(large, 3 * 2 ** 30);
    closeSync(large);
    const after = await readAll(READERS.mlflow!(store));
    expect(after.map((run) => run.id)).toEqual(before.map((run) => run.id));
    const parameters = after.map((run) => String(run.facts.parameters?.large ?? '').length);
    expect(Math.max(...parameters)).toBe(100_000);
    expect(id).toBeTruthy();
  });

  it('of a database are tables: what computes rows without end is refused', async () => {
    const path = unpacked('mlflow/mlflow.db.gz', folder);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(1, 18, 20)); // no write-ahead log: sqlite.org/fileformat.html, 1.3.3
    const database = new sqlite.Database(path);
    database.exec('DROP TABLE metrics');
    database.exec(`CREATE VIEW metrics AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
      SELECT 'm' AS key, x AS value, x AS timestamp, x AS step, 0 AS is_nan, run_uuid FROM n, runs`);
    database.close();
    await expect(readAll(READERS.mlflow!(path))).rejects.toThrow('it has no table "metrics"');
  });

  it('of a database hold what they give: what is computed is refused', async () => {
    const path = join(folder, 'trackio.db');
    const database = new sqlite.Database(path);
    database.exec(`CREATE TABLE metrics (id INTEGER PRIMARY KEY, timestamp TEXT, run_name TEXT, step INTEGER,
      metrics TEXT GENERATED ALWAYS AS (hex(zeroblob(40000000))) VIRTUAL)`);
    database.exec("INSERT INTO metrics (timestamp, run_name, step) VALUES ('2026-01-01', 'a', 1)");
    database.close();
    await expect(readAll(READERS.trackio!(path))).rejects.toThrow('it has no table "metrics"');
  });
});
