import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { closeDatabase, openDatabase } from '#src/base/platform/postgres/database.ts';
import { inTransaction } from '#src/base/database/connection.ts';
import { databaseText } from '#src/base/database/databaseText.ts';
import { readPoints } from '#src/metrics/store/metricPoints.ts';
import { listSeries } from '#src/metrics/store/metricSeries.ts';
import type { MetricPointInput } from '#src/metrics/store/pointColumns.ts';
import { recordMetricPoints } from '#src/metrics/store/recordMetricPoints.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { postgresForTests } from '../support/postgresForTests.ts';

const postgres = await postgresForTests();
const SEED = 20_261_126;
/** The last two are one name to PostgreSQL; their steps differ, for which of two points at one step is the first is not said. */
const NAMES = ['a', 'b/c', 'long', 'e\0', 'e\ufffd'];
const stepOf = (name: string, step: number) => (name === 'e\0' ? 2 * step : name === 'e\ufffd' ? 2 * step + 1 : step);
const VALUES = [0, -1.5, 2.25, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const START = Date.UTC(2026, 0, 1);

/** What a run is to hold, by name and step: the first point of each. */
type Held = Map<string, Map<number, MetricPointInput>>;

/** Keeps a point unless one is there; whether it was new. */
function keep(held: Held, point: MetricPointInput): boolean {
  const series = held.get(databaseText(point.name)) ?? new Map<number, MetricPointInput>();
  held.set(databaseText(point.name), series);
  if (series.has(point.step)) return false;
  series.set(point.step, point);
  return true;
}

describe('points of metrics that a run may not have yet', () => {
  it('are kept and summed up as one after another would be, whatever comes together', async () => {
    const db = openDatabase(postgres.url, { poolSize: 2 });
    const random = randomGenerator(SEED, 'new series');
    const { id: projectId } = await db.project.create({ data: { id: randomUUID(), name: 'new series' } });
    await db.configuration.create({ data: { hash: 'new', kind: 'external', kindVersion: 1, parameters: {} } });
    for (let number = 0; number < 60; number++) {
      const facts = { projectId, configurationHash: 'new', name: '', seed: number, state: 'RUNNING' } as const;
      const { id: runId } = await db.run.create({ data: { id: randomUUID(), ...facts } });
      const held: Held = new Map();
      for (let cursor = 1; cursor <= 3; cursor++) {
        const point = (name: string, step: number): MetricPointInput => ({
          ...{ name, step, value: VALUES[random.nextInt(VALUES.length)]! },
          timeMs: START + random.nextInt(1e6),
        });
        const points = Array.from({ length: random.nextInt(12) }, () => {
          const name = NAMES[random.nextInt(NAMES.length)]!;
          return point(name, stepOf(name, random.nextInt(8)));
        });
        // enough in order for blocks, beside rows
        if (random.nextInt(3) === 0) for (let step = 0; step < 250; step++) points.push(point('long', 10 + step));
        const before = new Set(points.filter(({ name, step }) => !held.get(databaseText(name))?.has(step)));
        const expected = [...before].filter((one) => keep(held, one)).length;
        const inserted = await inTransaction(db, (connection) =>
          recordMetricPoints(connection, { runId, cursor }, points),
        );
        expect(inserted, `seed ${SEED}, run ${number}, flush ${cursor}`).toBe(expected);
      }
      const series = await listSeries(db, [runId]);
      expect(series.map(({ name }) => name).sort()).toEqual([...held.keys()].sort());
      for (const { id, name, pointCount, lastStep, lastValue, minimum, maximum } of series) {
        const points = [...held.get(name)!.values()].sort((one, other) => one.step - other.step);
        const finite = points.map(({ value }) => value).filter(Number.isFinite);
        expect({ pointCount, lastStep, lastValue, minimum, maximum }).toEqual({
          pointCount: points.length,
          lastStep: points.at(-1)!.step,
          lastValue: points.at(-1)!.value,
          minimum: finite.length === 0 ? null : Math.min(...finite),
          maximum: finite.length === 0 ? null : Math.max(...finite),
        });
        const [found] = await readPoints(db, [id]);
        expect(found).toEqual({
          seriesId: id,
          steps: points.map(({ step }) => step),
          values: points.map(({ value }) => value),
          times: points.map(({ timeMs }) => timeMs),
        });
      }
    }
    await closeDatabase(db);
  });
});
