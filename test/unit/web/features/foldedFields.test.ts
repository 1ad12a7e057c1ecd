import { expect, test } from 'vitest';
import { foldedFields } from '#web/features/comparisons/foldedFields.ts';

const runsOf = (...kinds: string[]) => kinds.map((kind) => ({ configuration: { kind } }));
const field = (path: string, ...values: unknown[]) => ({ path, values, differs: true });

test('fields that only some kinds have stand together, those in which runs differ apart', () => {
  const runs = runsOf('mf-bpr', 'mf-bpr', 'overrec', 'external');
  const fields = [
    field('dataset.name', 'beauty', 'beauty', 'beauty', null),
    field('dataset.core', null, null, null, undefined),
    field('kind', 'mf-bpr', 'mf-bpr', 'overrec', 'external'),
    field('parameters.dimension', 32, 64, null, null),
    field('parameters.epochs', 15, 15, null, null),
    field('parameters.kernel', null, null, 'rntk', null),
    field('parameters.seed', 1, 2, 3, null),
  ];
  const { rows, folds } = foldedFields(runs, fields);
  expect(rows.map(({ path }) => path)).toEqual(['kind', 'parameters.dimension', 'parameters.seed']);
  expect(folds.map(({ title, fields }) => [title, fields.map(({ field, value }) => [field.path, value])])).toEqual([
    ['all kinds but external', [['dataset.name', 'beauty']]],
    ['mf-bpr alone', [['parameters.epochs', 15]]],
    ['overrec alone', [['parameters.kernel', 'rntk']]],
  ]);
});

test('a field that some runs of a kind lack differs within it, and is not folded', () => {
  const runs = runsOf('external', 'external', 'sasrec');
  const warmup = field('parameters.warmup', 10, null, null);
  const fields = [warmup, field('parameters.layers', null, null, 2)];
  const { rows, folds } = foldedFields(runs, fields);
  expect(rows).toEqual([warmup]);
  expect(folds.map(({ title }) => title)).toEqual(['sasrec alone']);
});

test('among runs of one kind nothing is folded', () => {
  const fields = [field('parameters.warmup', 10, null)];
  expect(foldedFields(runsOf('sasrec', 'sasrec'), fields)).toEqual({ rows: fields, folds: [] });
});
