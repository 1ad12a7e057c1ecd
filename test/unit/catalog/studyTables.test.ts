import { describe, expect, test } from 'vitest';
import { kindByName } from '#src/catalog/kinds.ts';
import {
  LEPORID_TABLE_6,
  LEPORID_TABLE_DATASETS,
  leporidTable3,
  leporidTable4,
  leporidTable5,
  leporidTable7,
} from '#src/catalog/published/leporidTables.ts';
import {
  SEVO_METRICS,
  SEVO_TABLE_3_AVERAGES,
  SEVO_TABLE_3_METHODS,
  SEVO_TABLE_3_TESTS,
  SEVO_TABLE_4,
  SEVO_TABLE_5,
  sevoTable3,
} from '#src/catalog/published/sevoTables.ts';
import { STUDIES, studyByName } from '#src/catalog/studies/studies.ts';

const SEVO_DATASETS = ['beauty', 'toys', 'tools', 'ml-1m'] as const;

test('every table and figure of the five papers that shows results is a study', () => {
  const numbers: Readonly<Record<string, string>> = {
    rntk: 'table-1 table-1-kernels table-1-steps table-2 figure-2 figure-3 figure-4',
    overrec: 'table-2 figure-1 figure-2 figure-4 figure-5 figure-6',
    leporid: 'table-3 table-4 table-5 table-6 table-7 figure-1 figure-2 figure-4b figure-4c',
    sevo: 'table-3 table-4 table-5 figure-3 figure-4a figure-4b figure-5a figure-5b figure-6 figure-7a figure-7b figure-8',
    featurizing: 'table-1 table-a1 figure-1 figure-a1 figure-a3 figure-a4 propositions',
  };
  const wanted = Object.entries(numbers).flatMap(([paper, all]) => all.split(' ').map((one) => `${paper}/${one}`));
  expect(STUDIES.map(({ name }) => name)).toEqual(wanted);
});

/** Lines, columns, printed values: as counted in the papers, but for columns that only we have, which print nothing. */
test.each([
  ['rntk/table-1', 6, 7, 42],
  ['rntk/table-2', 56, 7, 392],
  ['overrec/table-2', 16, 10, 160],
  ['leporid/table-3', 40, 16, 40 * 12 - 20],
  ['leporid/table-4', 12, 16, 144],
  ['leporid/table-5', 4, 16, 48],
  ['leporid/table-6', 4, 8, 16],
  ['leporid/table-7', 4, 16, 48],
  ['sevo/table-3', 21, 17, 20 * 17 + 6],
  ['sevo/table-4', 6, 6, 36 - 6],
  ['sevo/table-5', 5, 3, 15],
  ['featurizing/table-1', 4, 8, 16 + 4],
  ['featurizing/table-a1', 7, 4, 24 + 1],
] as const)('%s has the shape of the paper', (name, rows, columns, printed) => {
  const { table } = studyByName(name);
  expect([table!.rows.length, table!.columns.length]).toEqual([rows, columns]);
  expect(table!.cells.filter((cell) => cell.printed !== undefined)).toHaveLength(printed);
});

describe('SEvo', () => {
  test.each(SEVO_DATASETS)('improvements in %s are those of the best methods', (dataset) => {
    for (const [at, metric] of SEVO_METRICS.entries()) {
      const bestOf = (enhanced: boolean): number =>
        Math.max(
          ...SEVO_TABLE_3_METHODS.filter((method) => method.includes('-sevo') === enhanced).map(
            (method) => sevoTable3(dataset, method)[metric],
          ),
        );
      const { improvement } = SEVO_TABLE_3_TESTS[dataset][at]!;
      // the paper's are of more digits than it prints
      expect(Math.abs(100 * (bestOf(true) / bestOf(false) - 1) - improvement), metric).toBeLessThan(0.8);
    }
  });

  test.each(Object.entries(SEVO_TABLE_3_AVERAGES))(
    'the average improvement of %s is that of its cells',
    (name, printed) => {
      const method = SEVO_TABLE_3_METHODS.find((one) => one === name)!;
      const plain = SEVO_TABLE_3_METHODS.find((one) => one === name.replace(/-sevo.*/, ''))!;
      const shares = SEVO_DATASETS.flatMap((dataset) =>
        SEVO_METRICS.map((metric) => sevoTable3(dataset, method)[metric] / sevoTable3(dataset, plain)[metric] - 1),
      );
      expect((100 * shares.reduce((a, b) => a + b, 0)) / shares.length).toBeCloseTo(printed, 0);
    },
  );

  test('Tables 4 and 5 repeat SASRec of Table 3', () => {
    for (const dataset of ['beauty', 'ml-1m'] as const) {
      const { 'hr@1': hr1, 'hr@10': hr10, 'ndcg@10': ndcg10 } = sevoTable3(dataset, 'sasrec-sevo');
      expect(SEVO_TABLE_4[dataset][3]).toEqual([hr1, hr10, ndcg10]);
      if (dataset === 'ml-1m') expect(SEVO_TABLE_5['transitions-0-99']).toEqual([hr1, hr10, ndcg10]);
    }
  });
});

describe('LEPORID', () => {
  const ofTable3 = (model: 'ncf' | 'ngcf' | 'dgcf' | 'hgn' | 'dlr2', start: 'le' | 'leporid') =>
    LEPORID_TABLE_DATASETS.map((dataset) => leporidTable3({ model, start, dataset }));

  test.each([
    ['ncf-leporid', 'ncf', 'leporid'],
    ['ngcf-leporid', 'ngcf', 'leporid'],
    ['dgcf-leporid', 'dgcf', 'leporid'],
    ['hgn-leporid', 'hgn', 'leporid'],
    ['dlr2-le', 'dlr2', 'le'],
    ['dlr2-leporid', 'dlr2', 'leporid'],
  ] as const)('%s of Table 4 repeats Table 3', (method, model, start) => {
    expect(LEPORID_TABLE_DATASETS.map((dataset) => leporidTable4(method, dataset))).toEqual(ofTable3(model, start));
  });

  test('the whole DLR² of Tables 6 and 7 is that of Table 3', () => {
    const whole = ofTable3('dlr2', 'leporid');
    expect(LEPORID_TABLE_DATASETS.map((dataset) => leporidTable7('resnet', dataset))).toEqual(whole);
    expect(LEPORID_TABLE_6['discriminative-both']).toEqual(whole[0]);
  });

  test.each([
    ['ml-1m', [10.78, 10.97, 13.67, 18.72]],
    ['steam', [27.44, 20.55, 31.99, 24.44]],
    ['anime', [9.29, 3.9, 15.46, 25.13]],
  ] as const)('the printed improvements of Table 5 in %s are those of its lines', (dataset, printed) => {
    const [le, own] = [leporidTable5('le', dataset), leporidTable5('leporid', dataset)];
    for (const [at, metric] of (['hr@5', 'hr@10', 'f1@5', 'f1@10'] as const).entries()) {
      expect(Math.abs(100 * (own[metric]! / le[metric]! - 1) - printed[at]!), metric).toBeLessThan(0.5);
    }
  });
});

test.each(['sevo-study', 'overrec-comparison', 'overrec-sensitivity', 'rntk-table'])(
  'kind %s is no more, and names the study that took its place',
  (name) => {
    let message = '';
    try {
      kindByName(name);
    } catch (error) {
      message = String(error);
    }
    const [, study] = /warren reproduce (\S+)$/.exec(message) ?? [];
    expect(message).toContain(`kind "${name}" became`);
    expect(studyByName(study!).arms.length).toBeGreaterThan(1);
  },
);
