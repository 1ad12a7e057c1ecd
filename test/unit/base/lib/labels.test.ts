import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeGroupedTable } from '#src/base/lib/groupedTable.ts';
import { type Labelled, labelsOf } from '#src/base/lib/labels.ts';
import { shownGroups } from '#src/base/lib/shownGroups.ts';

const item = (fields: Record<string, unknown>): Labelled => ({ fields: new Map(Object.entries(fields)) });
const texts = (...items: Record<string, unknown>[]) => labelsOf(items.map(item)).map(({ text }) => text);

describe('labelsOf', () => {
  it('names what differs, by the shortest name that is clear', () => {
    const same = { kind: 'sasrec', dataset: 'ml-1m', 'parameters.epochs': 5 };
    expect(
      texts(
        { ...same, 'parameters.optimizer.learningRate': 0.1 },
        { ...same, 'parameters.optimizer.learningRate': 0.01 },
      ),
    ).toEqual(['learningRate 0.1', 'learningRate 0.01']);
    expect(texts(same)).toEqual(['sasrec · ml-1m']);
    expect(texts({ ...same, 'a.rate': 1, 'b.rate': 2 }, { ...same, 'a.rate': 2, 'b.rate': 1 })).toEqual([
      'a.rate 1 · b.rate 2',
      'a.rate 2 · b.rate 1',
    ]);
  });

  it('shows drawn values with as few digits as tell them apart', () => {
    expect(texts({ rate: 0.0020852855962479704 }, { rate: 0.004808201175978199 })).toEqual([
      'rate 0.002085',
      'rate 0.004808',
    ]);
    expect(texts({ rate: 0.12345678 }, { rate: 0.12345111 }, { rate: 1234567 })).toEqual([
      'rate 0.123457',
      'rate 0.123451',
      'rate 1234567',
    ]);
  });

  it('looks for more only among those that are alike so far', () => {
    const labels = texts(
      { kind: 'sasrec', dataset: 'ml-1m', rate: 0.1, heads: 2 },
      { kind: 'sasrec', dataset: 'ml-1m', rate: 0.2, heads: 2 },
      { kind: 'item-knn', dataset: 'ml-1m', neighbours: 20 },
    );
    expect(labels).toEqual(['sasrec · rate 0.1', 'sasrec · rate 0.2', 'item-knn']);
  });

  it('never gives two different configurations one label', () => {
    const value = fc.oneof(
      fc.constantFrom(null, true, 'true', 1, '1', 'a', 'b', 'a b', 'a · b', '"', '–', [1], '[1]', ''),
      fc.double({ noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
      fc.string({ maxLength: 6 }),
    );
    const paths = ['kind', 'dataset', 'name', 'a', 'b.a', 'c.a', 'c.d', 'x y', 'p0', 'p1', 'p2', 'p3'];
    const fields = fc.dictionary(fc.constantFrom(...paths), value, { maxKeys: 12, noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(fields, { minLength: 2, maxLength: 12 }), (all) => {
        const present = all.map((one) => Object.entries(one).filter(([, found]) => found !== null));
        const identities = present.map((entries) =>
          JSON.stringify(entries.map(([path, found]) => [path, typeof found, JSON.stringify(found)]).sort()),
        );
        const labels = texts(...all);
        for (const [i, a] of labels.entries()) {
          for (const [j, b] of labels.entries()) expect(a === b).toBe(identities[i] === identities[j]);
        }
      }),
      { seed: 14, numRuns: 300 },
    );
  });
});

it('the code of programs is told by the first digits of its hash, and a command as it is typed', () => {
  const [one, other] = ['1f'.repeat(32), 'a0'.repeat(32)];
  const of = (code: string, script: string) => ({
    'parameters.code': code,
    'parameters.command': ['python', script, '--lr', '{lr}', 'two words'],
  });
  expect(texts(of(one, 'train.py'), of(other, 'tune.py'))).toEqual([
    "code 1f1f1f1f · command python train.py --lr {lr} 'two words'",
    "code a0a0a0a0 · command python tune.py --lr {lr} 'two words'",
  ]);
  const group = (code: string, script: string) => ({
    ...{ values: ['hash'], runCount: 1, isBaseline: false, metrics: [] },
    configuration: {
      ...{ kind: 'command', datasetName: null, dataset: null },
      parameters: { code, command: ['python', script] },
    },
  });
  const table = shownGroups([group(one, 'a.py'), group(other, 'b.py')], ['configuration'], []);
  expect(table.heads).toEqual(['code', 'command']);
  expect(table.rows.map(({ cells }) => cells)).toEqual([
    ['1f1f1f1f', 'python a.py'],
    ['a0a0a0a0', 'python b.py'],
  ]);
  expect(writeGroupedTable(table, 'md')).toContain('| 1f1f1f1f |');
  expect(writeGroupedTable(table, 'csv').split('\n'), 'whole for programs').toEqual([
    ...['code,command,runs', `${one},python a.py,1`, `${other},python b.py,1`, ''],
  ]);
  const byCode = [group(one, 'a.py'), group(other, 'b.py')].map((some, row) => ({
    ...some,
    values: [[one, other][row]],
  }));
  expect(shownGroups(byCode, ['config.parameters.code'], []).rows.map(({ cells }) => cells)).toEqual([
    ['1f1f1f1f'],
    ['a0a0a0a0'],
  ]);
});
