import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { parseRunFilter } from '#src/contracts/runFilter/parse.ts';
import { printRunFilter } from '#src/contracts/runFilter/print.ts';
import type { Prisma } from '#src/generated/prisma/client.ts';
import { closeDatabase, type Database, openDatabase } from '#src/platform/postgres/database.ts';
import { databaseJson } from '#src/store/database/databaseText.ts';
import { countSelectedRuns, selectRunPage } from '#src/store/search/runPage.ts';
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
});
