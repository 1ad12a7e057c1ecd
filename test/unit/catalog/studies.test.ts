import { describe, expect, test } from 'vitest';
import { armConfiguration, armRequest, armSeeds } from '#src/catalog/studies/armConfiguration.ts';
import { PAPERS } from '#src/catalog/published/papers.ts';
import { STUDIES, studyByName } from '#src/catalog/studies/studies.ts';
import {
  type Study,
  STUDY_BUDGETS,
  type StudyComparison,
  type StudyStatement,
  type StudyValue,
} from '#src/catalog/studies/study.ts';

function metricsOf(value: StudyValue): { arm: string; metric: string }[] {
  if ('arm' in value) return [value];
  return 'parts' in value ? [...value.parts] : comparedBy(value.comparison);
}

function comparedBy({ above, below, metric, belowMetric }: StudyComparison): { arm: string; metric: string }[] {
  const sides = [above, below].map((side) => (typeof side === 'string' ? [side] : side));
  expect(sides[0], 'a comparison pairs as many arms above as below').toHaveLength(sides[1]!.length);
  const [first = [], second = []] = sides;
  return [...first.map((arm) => ({ arm, metric })), ...second.map((arm) => ({ arm, metric: belowMetric ?? metric }))];
}

function ofStatement(statement: StudyStatement): { arm: string; metric: string }[] {
  return 'above' in statement ? comparedBy(statement) : metricsOf(statement.value);
}

/** Every metric of an arm that a study speaks of. */
function metricsNamed({ table, claims, figures }: Study): { arm: string; metric: string }[] {
  const cells = table?.cells.flatMap(({ value }) => (value === undefined ? [] : metricsOf(value))) ?? [];
  const stated = claims.flatMap(({ statements }) => statements.flatMap(ofStatement));
  const drawn = (figures ?? []).flatMap(({ panels }) =>
    panels.flatMap((panel) =>
      'artifact' in panel
        ? [{ arm: panel.arm, metric: 'a/picture' }]
        : panel.series.flatMap((series) =>
            'curve' in series ? [series.curve] : series.points.flatMap(({ value }) => metricsOf(value)),
          ),
    ),
  );
  return [...cells, ...stated, ...drawn];
}

function expectUnique(names: readonly string[], what: string): void {
  expect([...new Set(names)], `${what} are unique`).toEqual([...names]);
}

test('studies have names of their own, which begin with their paper', () => {
  expectUnique(
    STUDIES.map(({ name }) => name),
    'studies',
  );
  for (const { name } of STUDIES) expect(Object.keys(PAPERS)).toContain(name.split('/')[0]);
  expect(() => studyByName('overrec/tabel-2')).toThrow('Did you mean "overrec/table-2"?');
});

describe.each(STUDIES.map((study) => [study.name, study] as const))('%s', (_, study) => {
  test('every arm is a configuration of the catalog under both budgets, each once', () => {
    expectUnique(
      study.arms.map(({ name }) => name),
      'arms',
    );
    for (const budget of STUDY_BUDGETS) {
      const hashes = study.arms.map((arm) => {
        const { inputs, name } = arm;
        expect(armSeeds(study, arm, budget).length, `${name} has seeds`).toBeGreaterThan(0);
        const known = new Set(study.arms.map((one) => one.name));
        for (const input of inputs ?? []) expect(known, `input ${input.name} of ${name}`).toContain(input.arm);
        return JSON.stringify([armConfiguration(arm, budget).hash, inputs ?? []]);
      });
      if (budget === 'paper') expectUnique(hashes, 'configurations');
    }
  });

  test('a shortened arm is another configuration than the whole one', () => {
    for (const arm of study.arms.filter((one) => one.quick !== undefined)) {
      expect(armConfiguration(arm, 'quick').hash, arm.name).not.toBe(armConfiguration(arm, 'paper').hash);
    }
  });

  test('its table, figures and claims speak of its own rows, columns, arms', () => {
    const arms = new Set(study.arms.map(({ name }) => name));
    for (const { arm, metric } of metricsNamed(study)) {
      expect(arms, `an arm for ${metric}`).toContain(arm);
      expect(metric).toMatch(/^[a-z0-9][a-z0-9@./_-]*$/);
    }
    expectUnique(
      study.claims.map(({ name }) => name),
      'claims',
    );
    for (const { name, statements, notRunnable } of study.claims) {
      expect(statements.length > 0 || notRunnable !== undefined, `claim ${name} states something`).toBe(true);
    }
    const { table } = study;
    if (table === undefined) return;
    const rows = table.rows.map(({ name }) => name);
    const columns = table.columns.map(({ name }) => name);
    expectUnique(rows, 'rows');
    expectUnique(columns, 'columns');
    expectUnique(
      table.cells.map(({ row, column }) => `${row} · ${column}`),
      'cells',
    );
    for (const { row, column, value, notRunnable } of table.cells) {
      expect(rows).toContain(row);
      expect(columns).toContain(column);
      expect(value !== undefined || notRunnable !== undefined, `${row} · ${column} is measured or says why not`).toBe(
        true,
      );
    }
  });

  test('it says what can be run, or why nothing can', () => {
    expect(study.arms.length > 0 || study.notRunnable !== undefined).toBe(true);
    for (const { name, minutes, quick } of study.arms) {
      expect(minutes, name).toBeGreaterThan(0);
      if (quick !== undefined) expect(quick.minutes, name).toBeLessThanOrEqual(minutes);
    }
  });
});

test('what shortens an arm lies over its own parameters and dataset', () => {
  const arm = {
    name: 'a',
    label: 'A',
    kind: 'sasrec',
    dataset: 'ml-1m',
    parameters: { epochs: 200, optimizer: { learningRate: 0.01 } },
    minutes: 100,
    quick: { parameters: { epochs: 2, optimizer: { weightDecay: 0 } }, dataset: { maximumUsers: 500 }, minutes: 1 },
  } as const;
  expect(armRequest(arm, 'quick')).toEqual({
    kind: 'sasrec',
    preset: null,
    dataset: { name: 'ml-1m', maximumUsers: 500 },
    parameters: { epochs: 2, optimizer: { learningRate: 0.01, weightDecay: 0 } },
  });
  expect(armRequest(arm, 'paper').dataset).toBe('ml-1m');
});
