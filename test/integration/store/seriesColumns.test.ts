import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { readNullableNumbers, readNumbers } from '#src/base/database/binaryArray.ts';
import { parseNullableNumberArray } from '#src/base/database/databaseText.ts';
import { queryPage, queryRows } from '#src/base/database/queryRows.ts';
import { listSeriesColumns } from '#src/metrics/store/metricSeries.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { postgresForTests } from '../support/postgresForTests.ts';

const postgres = await postgresForTests();
const SEED = 20_261_127;
const ODD = [0, -0, 5e-324, -1e-300, 1e21, 1.7976931348623157e308, Number.NaN, Infinity, -Infinity, null];
const base64 = z.string().transform((text) => readNullableNumbers(Buffer.from(text, 'base64')));
const literal = z.string().transform(parseNullableNumberArray);
const row = z.object({
  ...{ int4: base64, int8: base64, float8: base64 },
  ...{ int4Text: literal, int8Text: literal, float8Text: literal },
});

test('numbers that come in their binary form are those that come as digits, to the bit', async () => {
  const db = openDatabase(postgres.url, { poolSize: 1 });
  const random = randomGenerator(SEED, 'binary arrays');
  const text = (values: readonly (number | null)[]) => `{${values.map((value) => valueText(value)).join(',')}}`;
  for (const length of [0, 1, 2, 57, 500]) {
    const make = (value: () => number | null) => text(Array.from({ length }, value));
    const int4 = make(() => (random.nextInt(9) === 0 ? null : random.nextInt(2 ** 31) - 2 ** 30));
    const int8 = make(() => (random.nextInt(9) === 0 ? null : Math.round((random.nextFloat() - 0.5) * 2 ** 54)));
    const float8 = make(() =>
      random.nextInt(3) === 0
        ? ODD[random.nextInt(ODD.length)]!
        : (random.nextFloat() - 0.5) * 10 ** (random.nextInt(600) - 300),
    );
    for (const query of [queryPage(db, row), queryRows(db, row)]) {
      const [found] = await query`
        SELECT encode(array_send(${int4}::text::int4[]), 'base64') AS int4, (${int4}::text::int4[])::text AS "int4Text",
          encode(array_send(${int8}::text::int8[]), 'base64') AS int8, (${int8}::text::int8[])::text AS "int8Text",
          encode(array_send(${float8}::text::float8[]), 'base64') AS float8, (${float8}::text::float8[])::text AS "float8Text"`;
      expect(found?.float8.length).toBe(length);
      expect(found?.int4).toStrictEqual(found?.int4Text);
      expect(found?.int8).toStrictEqual(found?.int8Text);
      expect(found?.float8).toStrictEqual(found?.float8Text);
    }
  }
  await closeDatabase(db);
});

test('what is no array of numbers, and NULL where none may be, is refused', async () => {
  const db = openDatabase(postgres.url, { poolSize: 1 });
  const [found] = await queryRows(db, z.object({ texts: z.string(), holes: z.string() }))`
    SELECT encode(array_send('{a}'::text[]), 'base64') AS texts, encode(array_send('{1,NULL}'::int4[]), 'base64') AS holes`;
  const bytes = (text = '') => Buffer.from(text, 'base64');
  expect(() => readNumbers(bytes(found?.texts))).toThrow('an array of numbers, not of type 25');
  expect(() => readNumbers(bytes(found?.holes))).toThrow('an array without NULL');
  await closeDatabase(db);
});

test('the series of runs come by run and name, each with its own numbers', async () => {
  const db = openDatabase(postgres.url, { poolSize: 1 });
  const { id: projectId } = await db.project.create({ data: { id: randomUUID(), name: 'series columns' } });
  await db.configuration.create({ data: { hash: 'columns', kind: 'external', kindVersion: 1, parameters: {} } });
  const facts = { projectId, configurationHash: 'columns', name: '', state: 'RUNNING' } as const;
  const run = await db.run.create({ data: { id: randomUUID(), ...facts, seed: 1 } });
  const other = await db.run.create({ data: { id: randomUUID(), ...facts, seed: 2 } });
  const summary = (name: string, lastValue: number, minimum: number | null, maximum: number | null) => ({
    ...{ runId: run.id, name, lastValue, minimum, maximum },
    ...{ pointCount: 3, lastStep: 2n ** 53n, lastTime: new Date(0) },
  });
  await db.metricSeries.createMany({
    data: [
      summary('ä', 0.1, -0.25, 0.1),
      summary('b', Number.NaN, null, null),
      { ...summary('b', -7.5, -7.5, 1e300), runId: other.id },
      { ...summary('none', 0, null, null), pointCount: 0 },
    ],
  });
  const found = await listSeriesColumns(db, [run.id, other.id]);
  const step = 2 ** 53;
  const expected = [
    {
      ...{ runId: run.id, names: ['b', 'ä'], pointCounts: [3, 3], lastSteps: [step, step] },
      ...{ lastValues: [Number.NaN, 0.1], minima: [null, -0.25], maxima: [null, 0.1] },
    },
    {
      ...{ runId: other.id, names: ['b'], pointCounts: [3], lastSteps: [step] },
      ...{ lastValues: [-7.5], minima: [-7.5], maxima: [1e300] },
    },
  ];
  expect(found).toStrictEqual(expected.toSorted((a, b) => (a.runId < b.runId ? -1 : 1)));
  await closeDatabase(db);
});

function valueText(value: number | null): string {
  if (value === null) return 'NULL';
  return Object.is(value, -0) ? '-0' : String(value);
}
