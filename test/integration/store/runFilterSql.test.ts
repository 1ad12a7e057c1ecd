import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { printRunFilter } from '#src/base/contracts/runFilter/print.ts';
import type { Prisma } from '#src/generated/prisma/client.ts';
import { closeDatabase, type Database, openDatabase } from '#src/base/platform/postgres/database.ts';
import { databaseJson } from '#src/base/database/databaseText.ts';
import { countSelectedRuns, type PlacedRun, selectRunPage } from '#src/runs/store/runPage.ts';
import type { OrderPosition } from '#src/runs/store/runOrderSql.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { randomFilter, randomRun } from '#test/properties/randomRunFilters.ts';
import { type PlainRun, passes } from '#test/properties/runFilterReference.ts';
import { postgresForTests } from '../support/postgresForTests.ts';

const postgres = await postgresForTests();
const SEED = 20_261_121;

async function insertPlainRun(db: Database, run: PlainRun): Promise<number> {
  const { texts, numbers, times, json } = run;
  const date = (ms: number | null | undefined) => (ms == null ? null : new Date(ms));
  const project = { name: texts.project ?? '' };
  const { id: projectId } = await db.project.upsert({
    where: project,
    create: { id: randomUUID(), ...project },
    update: {},
  });
  const configuration = await db.configuration.create({
    data: {
      hash: randomUUID(),
      kind: texts.kind ?? '',
      kindVersion: 1,
      datasetName: texts.dataset ?? null,
      parameters: json.parameters as Prisma.InputJsonValue,
    },
  });
  await db.$executeRaw`UPDATE configuration SET parameters = ${databaseJson(json.parameters)}::jsonb,
    dataset = ${json.dataset === null ? null : databaseJson(json.dataset)}::jsonb WHERE hash = ${configuration.hash}`;
  const workerId = texts.worker == null ? null : randomUUID();
  if (workerId !== null) {
    const facts = { host: '', pid: 1, version: '', backend: '', device: '', slots: 1 };
    await db.worker.create({ data: { id: workerId, name: texts.worker ?? '', ...facts } });
  }
  const { id, number } = await db.run.create({
    data: {
      id: randomUUID(),
      projectId,
      configurationHash: configuration.hash,
      workerId,
      name: texts.name ?? '',
      notes: texts.notes ?? '',
      errorMessage: texts.error ?? null,
      errorCode: texts.errorCode ?? null,
      seed: numbers.seed ?? 0,
      priority: numbers.priority ?? 1,
      attempt: numbers.attempt ?? 0,
      progress: numbers.progress ?? 0,
      createdAt: date(times.created) ?? new Date(),
      startedAt: date(times.started),
      endedAt: date(times.ended),
      state: run.state,
      tags: run.tags,
    },
  });
  await db.$executeRaw`UPDATE run SET environment = ${databaseJson(json.environment)}::jsonb WHERE id = ${id}::uuid`;
  for (const [name, { last, minimum, maximum }] of Object.entries(run.metrics)) {
    await db.$executeRaw`
      INSERT INTO metric_series (run_id, name, point_count, last_step, last_value, minimum, maximum)
      VALUES (${id}::uuid, ${name}, 1, 0, ${String(last)}::text::float8, ${minimum}::float8, ${maximum}::float8)`;
  }
  for (const [name, newest] of Object.entries(run.logged)) {
    const facts = { runId: id, name, time: new Date(0) };
    await db.media.createMany({
      data: [
        { ...facts, step: 0, place: 0, kind: 'text', metadata: { text: 'older' } },
        ...newest.map((text, place) => ({ ...facts, step: 1, place, kind: 'text', metadata: { text } })),
        { ...facts, step: 2, place: 0, kind: 'image', metadata: {} },
      ],
    });
  }
  return number;
}

describe('a compiled filter', () => {
  it('passes the runs that its meaning passes', async () => {
    const db = openDatabase(postgres.url, { poolSize: 2 });
    const random = randomGenerator(SEED, 'filter sql');
    const runs = new Map<number, PlainRun>();
    for (let i = 0; i < 120; i++) {
      const run = randomRun(random);
      runs.set(await insertPlainRun(db, run), run);
    }
    const range = { keys: [], descending: false, after: null, first: 1_000 };
    let passed = 0;
    for (let i = 0; i < 600; i++) {
      const filter = randomFilter(random, i % 3);
      const text = printRunFilter(filter);
      const selection = { projectId: null, configurationHash: null, inTrash: false };
      const parsed = parseRunFilter(text, metricDirection);
      const found = await selectRunPage(db, { ...selection, filter: parsed }, range);
      const nowMs = Date.now();
      const expected = [...runs].filter(([, run]) => passes(filter, run, nowMs)).map(([number]) => number);
      expect(
        found.map(({ run }) => run.number),
        `${text} (seed ${SEED}, filter ${i})`,
      ).toEqual(expected);
      if (i % 100 === 0) expect(await countSelectedRuns(db, { ...selection, filter })).toBe(expected.length);
      passed += expected.length;
    }
    expect(passed / (600 * runs.size), 'filters that pass something and refuse something').toBeGreaterThan(0.1);
    await closeDatabase(db);
  });

  it.each([
    ['config.x < 5', 'x < 5'],
    ['config.x >= 0', 'true'],
    ['config.x = 3 or seed = 2', 'x = 3 OR seed = 2'],
    ['not config.x < 395 and seed < 2', 'x >= 395 AND seed < 2'],
    ['config.x = 1000', 'false'],
  ])('makes the same pages of %s whether a page stands among the next runs or far behind', async (filter, plain) => {
    const db = openDatabase(postgres.url, { poolSize: 2 });
    const name = `pages of ${filter}`;
    const { id: projectId } = await db.project.create({ data: { id: randomUUID(), name } });
    // configurations in the order of their runs, three runs each: those that match are the first, the last, all or none
    await db.$executeRaw`INSERT INTO configuration (hash, kind, kind_version, parameters)
      SELECT ${name} || x, 'external', 1, jsonb_build_object('x', x) FROM generate_series(0, 399) x`;
    await db.$executeRaw`INSERT INTO run (id, project_id, configuration_hash, name, state, seed)
      SELECT gen_random_uuid(), ${projectId}::uuid, ${name} || place / 3, '', 'SUCCEEDED', place % 3 FROM generate_series(0, 1199) place ORDER BY place`;
    const expected = await db.$queryRawUnsafe<{ number: number }[]>(
      `SELECT number FROM (SELECT number, seed, (parameters ->> 'x')::int AS x FROM run JOIN configuration ON hash = configuration_hash
        WHERE project_id = $1::uuid) given WHERE ${plain} ORDER BY number`,
      projectId,
    );
    const selection = { projectId, configurationHash: null, inTrash: false };
    const parsed = { ...selection, filter: parseRunFilter(filter, metricDirection) };
    for (const descending of [false, true]) {
      const found: number[] = [];
      let after: OrderPosition | null = null;
      for (;;) {
        const page: PlacedRun[] = await selectRunPage(db, parsed, { keys: [], descending, after, first: 250 });
        found.push(...page.map(({ run }) => run.number));
        after = page.at(-1)?.position ?? null;
        if (page.length < 250) break;
      }
      const numbers = expected.map(({ number }) => number);
      expect(found).toEqual(descending ? numbers.reverse() : numbers);
    }
    await closeDatabase(db);
  });
});
