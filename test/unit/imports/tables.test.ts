import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseImportColumns } from '#src/imports/columnMap.ts';
import { csvRuns } from '#src/imports/csv.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { project, READERS, readAll } from './readSources.ts';

const folder = temporaryFolder();

describe('tables', () => {
  const read = (text: string, map = '') => {
    const path = join(folder, 'table.csv');
    writeFileSync(path, text);
    const columns = map === '' ? { parameter: [], ignore: [] } : parseImportColumns(map);
    return readAll(csvRuns(path, { project, map: columns }));
  };

  it('have a column a metric, or a row a point; names say what columns are', async () => {
    const wide = 'epoch;time;loss;lr;word\n0;2025-01-02 03:04:05;nan;0.1;a\n2;1735787050;-inf;0.1;b\n3;;0.5;0.1\n';
    const [run] = await read(wide, 'parameter=lr');
    const at = Date.UTC(2025, 0, 2, 3, 4, 5);
    expect(run!.points).toEqual({
      loss: [
        [0, Number.NaN, at],
        [2, Number.NEGATIVE_INFINITY, at + 5000],
      ],
    });
    expect(run!.facts.parameters).toEqual({ lr: 0.1 });
    expect(run!.warnings).toHaveLength(2);
    const long = 'run,step,metric,value\na,1,loss,3\nb,1,loss,4\na,2,"acc,1",5\n';
    const runs = await read(long);
    expect(runs.map(({ label, points }) => [label, Object.keys(points)])).toEqual([
      ['a', ['loss', 'acc,1']],
      ['b', ['loss']],
    ]);
  });

  it('keep columns of the same name apart', async () => {
    const [run] = await read('loss,loss,loss.1,loss\n1,2,3,4\n');
    const values = Object.entries(run!.points).map(([name, points]) => [name, points[0]![1]]);
    expect(values).toEqual([
      ['loss', 1],
      ['loss.2', 2],
      ['loss.1', 3],
      ['loss.3', 4],
    ]);
    expect(run!.warnings[0]).toMatch(/there is another column "loss": it is read as "loss\.2"$/);
  });

  it('say in which lines text is no UTF-8, wherever the file is cut into pieces', async () => {
    const path = join(folder, 'latin1.csv');
    const filler = 'é'.repeat(40_000);
    const line = (text: string) => Buffer.from(`1,${text}\n`, 'utf8');
    const latin1 = Buffer.from('2,caf\xe9\n', 'latin1');
    const readAs = async (...parts: Buffer[]) => {
      writeFileSync(path, Buffer.concat([Buffer.from('loss,note\n'), ...parts]));
      return (await readAll(csvRuns(path, { project, map: { parameter: ['note'], ignore: [] } })))[0]!.warnings;
    };
    expect(await readAs(line(filler), line(filler), line('\uFFFD'))).toEqual([]);
    expect((await readAs(line(filler), line(filler), latin1, line('é'), latin1))[0]).toBe(
      `${path}: line 4 and 1 more: what is no UTF-8 there is kept as "\uFFFD"; expected UTF-8: \`iconv -f latin1 -t utf-8\` makes it of Latin-1`,
    );
    expect((await readAs(latin1.subarray(0, -1)))[0]).toContain(': line 2: what is no UTF-8');
  });

  it('say which columns there are', async () => {
    const missing = csvRuns(join(folder, 'none.csv'), { project, map: { parameter: [], ignore: [] } });
    await expect(readAll(missing)).rejects.toThrow('no such file');
    await expect(read('a,b\n1,2\n', 'step=c')).rejects.toThrow('there is no column "c"');
    expect(() => parseImportColumns('setp=a')).toThrow('Did you mean');
  });
});

it('keeps the runs of JSON lines apart that come mixed, more points of them than are held in memory', async () => {
  const path = join(folder, 'mixed.jsonl');
  const names = Array.from({ length: 250 }, (_, index) => `m${index}`);
  const valueAt = (row: number, index: number) => row / 2 + index;
  const lines = Array.from({ length: 900 }, (_, row) => {
    const metrics = Object.fromEntries(names.map((name, index) => [name, valueAt(row, index)]));
    return JSON.stringify({ run: `r${row % 3}`, step: row, ...metrics });
  });
  writeFileSync(path, lines.join('\n'));
  const runs = await readAll(READERS.jsonl!(path));
  expect(runs.map(({ label, points }) => [label, Object.keys(points)])).toEqual(
    ['r0', 'r1', 'r2'].map((label) => [label, names]),
  );
  for (const [place, { points }] of runs.entries()) {
    for (const [index, name] of names.entries()) {
      const wanted = Array.from({ length: 300 }, (_, turn) => turn * 3 + place).map((row) => [
        row,
        valueAt(row, index),
      ]);
      expect(JSON.stringify(points[name]!.map(([step, value]) => [step, value]))).toBe(JSON.stringify(wanted));
    }
  }
});
