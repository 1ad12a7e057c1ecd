import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coreFilter } from '#workers/data/prepare/coreFilter.ts';
import { groupByUser, type SequenceRows } from '#workers/data/prepare/groupByUser.ts';
import type { Interactions } from '#workers/data/prepare/interactions.ts';
import { leaveOneOut, testHistory } from '#workers/data/split/leaveOneOut.ts';
import { trainingItems } from '#workers/data/split/trainingPart.ts';
import { readSequences } from '#workers/data/read/readSequences.ts';
import { readTable } from '#workers/data/read/readTable.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';

const folder = mkdtempSync(join(tmpdir(), 'warren-properties-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SEED = 20_240_117;
const MUTATIONS = 400;

/** Sequences of item ids, by user id. */
type Sequences = { user: number; items: number[] }[];

function randomSequences(generator: RandomGenerator): Sequences {
  return Array.from({ length: 1 + generator.nextInt(12) }, (_, user) => ({
    user: user * 3 + 1,
    items: Array.from({ length: 1 + generator.nextInt(9) }, () => 1 + generator.nextInt(20)),
  }));
}

function asSequences(data: Sequences): string {
  return data.map(({ user, items }) => `${user} ${items.join(' ')}\n`).join('');
}

/** One interaction per line, the lines in any order: times put them right. */
function asTable(data: Sequences, separator: string, generator: RandomGenerator): string {
  const lines = data.flatMap(({ user, items }) =>
    items.map((item, index) => [user, item, 1 + generator.nextInt(5), 1_000_000 + index * 60].join(separator)),
  );
  generator.shuffle(lines);
  return `${['user_id:token', 'item_id:token', 'rating:float', 'timestamp:float'].join(separator)}\n${lines.join('\n')}\n`;
}

function rowsOf(interactions: Interactions): Map<string, string[]> {
  const rows: SequenceRows = groupByUser(interactions, coreFilter(interactions, 0));
  return new Map(
    rows.userIds.map((id, user) => [
      id,
      Array.from(rows.items.subarray(rows.offsets[user]!, rows.offsets[user + 1]!), (item) => rows.itemIds[item]!),
    ]),
  );
}

async function readAs(name: string, content: string | Uint8Array): Promise<Interactions> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return name.includes('.txt') ? readSequences(path) : readTable(path);
}

test('whatever is written in any format is read back, in order', async () => {
  const generator = randomGenerator(SEED, 'round trip');
  for (let round = 0; round < 60; round++) {
    const data = randomSequences(generator);
    const expected = new Map(data.map(({ user, items }) => [String(user), items.map(String)]));
    const contents = {
      'a.txt': asSequences(data),
      'a.txt.gz': gzipSync(asSequences(data)),
      'a.csv': asTable(data, ',', generator),
      'a.inter.gz': gzipSync(asTable(data, '\t', generator)),
      'a.tsv': asTable(data, '\t', generator).replaceAll('\n', '\r\n'),
    };
    for (const [name, content] of Object.entries(contents)) {
      const read = rowsOf(await readAs(name, content));
      expect(Object.fromEntries(read), `seed ${SEED}, round ${round}, ${name}`).toEqual(Object.fromEntries(expected));
    }
  }
});

test('a split is disjoint and complete, keeps the order, and no test item is at a training place', async () => {
  const generator = randomGenerator(SEED, 'split');
  for (let round = 0; round < 60; round++) {
    const data = randomSequences(generator);
    const interactions = await readAs('split.txt', asSequences(data));
    const rows = groupByUser(interactions, coreFilter(interactions, 0));
    const split = leaveOneOut({ ...rows, name: 'split', fingerprint: '' });
    for (let user = 0; user < rows.userCount; user++) {
      const all = [...rows.items.subarray(rows.offsets[user]!, rows.offsets[user + 1]!)];
      const held = [split.validation[user]!, split.test[user]!].filter((item) => item >= 0);
      expect([...trainingItems(split, user), ...held]).toEqual(all);
      expect(held.length).toBe(all.length >= 3 ? 2 : 0);
      if (held.length === 2) expect([...testHistory(split, user), split.test[user]!]).toEqual(all);
    }
    expect([...split.evaluatedUsers]).toEqual(data.flatMap(({ items }, user) => (items.length >= 3 ? [user] : [])));
  }
});

describe('damaged files are read or refused with a DATA_ERROR that names the file, never anything else', () => {
  const PIECES = [
    '\n',
    '\r',
    ' ',
    '\t',
    ',',
    '"',
    '-',
    'x',
    '.',
    '9'.repeat(20),
    'NaN',
    '\0',
    '\uFEFF',
    'é',
    '::',
    '1e999',
  ];

  function mutate(content: Buffer, generator: RandomGenerator): Buffer {
    const bytes = [...content];
    for (let change = 0; change <= generator.nextInt(3); change++) {
      const at = generator.nextInt(bytes.length + 1);
      const kind = generator.nextInt(5);
      if (kind === 0) bytes.splice(at, 1 + generator.nextInt(6));
      else if (kind === 1) bytes.splice(at, 0, ...Buffer.from(PIECES[generator.nextInt(PIECES.length)]!));
      else if (kind === 2) bytes[Math.min(at, bytes.length - 1)] = generator.nextInt(256);
      else if (kind === 3) bytes.splice(at, 0, ...bytes.slice(at, at + 12));
      else bytes.length = at;
    }
    return Buffer.from(bytes);
  }

  test.each(['f.txt', 'f.txt.gz', 'f.csv', 'f.inter'])('%s', async (name) => {
    const generator = randomGenerator(SEED, `fuzz ${name}`);
    let refused = 0;
    for (let round = 0; round < MUTATIONS; round++) {
      const data = randomSequences(generator);
      const text = name.includes('.txt') ? asSequences(data) : asTable(data, name === 'f.csv' ? ',' : '\t', generator);
      const content = mutate(name.endsWith('.gz') ? gzipSync(text) : Buffer.from(text), generator);
      try {
        rowsOf(await readAs(name, content));
      } catch (thrown) {
        refused++;
        const where = `seed ${SEED}, round ${round}: ${String(thrown)}`;
        expect(thrown, where).toBeInstanceOf(WarrenError);
        expect(thrown, where).toMatchObject({ code: 'DATA_ERROR' });
        expect(String(thrown), where).toContain(join(folder, name));
      }
    }
    expect(refused).toBeGreaterThan(MUTATIONS / 10);
  });
});
