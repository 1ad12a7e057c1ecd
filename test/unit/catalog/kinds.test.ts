import { expect, test } from 'vitest';
import { KINDS, kindByName } from '#src/catalog/kinds.ts';
import { type Paper, PAPERS } from '#src/catalog/published/papers.ts';

test('no two kinds have the same name', () => {
  const names = KINDS.map(({ kind }) => kind);
  expect(new Set(names).size).toBe(names.length);
});

const OF_PAPERS: readonly (readonly [Paper, readonly string[]])[] = [
  ['rntk', ['rntk-classification', 'rnn-classification', 'rntk-regression', 'rntk-convergence', 'rntk-sensitivity']],
  ['overrec', ['overrec', 'finite-rnn']],
  ['leporid', ['embedding', 'embedding-perturbation', 'dlr2']],
  ['sevo', ['sasrec', 'gru4rec', 'bert4rec', 'stosa', 'sevo-efficiency']],
  [
    'featurizing',
    [
      'item2vec',
      'featurize-genre',
      'featurize-sequential',
      'featurize-sentiment',
      'featurize-stability',
      'featurize-theory',
    ],
  ],
];

test.each(OF_PAPERS)('the kinds of %s cite it by its authors, title, place and year', (paper, names) => {
  for (const name of names) expect(kindByName(name).source).toContain(PAPERS[paper].slice(0, -1));
});
