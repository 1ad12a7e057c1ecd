import { expect, test } from 'vitest';
import { whyNeverReported } from '#src/catalog/reportedMetric.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';

const asked = (metric: string, kind = 'sasrec', cutoffs = [5, 20]) =>
  whyNeverReported(metric, resolveConfiguration({ kind, dataset: 'generated/markov-small', parameters: { cutoffs } }));

test('metrics that a recommender reports may be asked for', () => {
  for (const metric of ['valid/ndcg@10', 'valid/mrr@20', 'test/map@5', 'test/tail/hr@20', 'train/loss', 'time/epoch']) {
    expect(asked(metric), metric).toBeNull();
  }
  expect(asked('valid/map@5', 'overrec')).toBeNull();
});

test('a misspelled one says what may have been meant', () => {
  expect(asked('valid/ndgc@10')).toBe('sasrec never reports valid/ndgc@10. Did you mean "valid/ndcg@10"?');
  expect(asked('validation/ndcg@10')).toContain('"valid/ndcg@10"');
  expect(asked('val_ndcg@10')).toContain('"valid/ndcg@10"');
  expect(asked('valid/ndcg')).toContain('Did you mean "valid/ndcg@');
  expect(asked('test/ngcd@20')).toContain('"test/ndcg@20"');
});

test('one that resembles none says what there is', () => {
  expect(asked('accuracy')).toBe(
    'sasrec never reports accuracy. It reports train/loss and valid/NAME@N, with NAME one of mrr, ndcg, hr, f1 and N one of 5, 10, 20.',
  );
  expect(asked('valid/map@5'), 'validations tell less').toContain('/NAME@N, with NAME one of mrr, ndcg, hr, f1 and');
});

test('what is not trained has no training loss', () => {
  expect(asked('train/loss', 'gru4rec')).toBeNull();
  expect(asked('train/loss', 'item-knn')).toMatch(/^item-knn never reports train\/loss. It reports valid\/NAME@N/);
});

test('a cut-off that the runs do not have says how to get it', () => {
  expect(asked('valid/ndcg@50')).toBe('sasrec reports valid/ndcg at 5, 10, 20, not at 50: add 50 to its cutoffs.');
});

test('kinds with metrics of their own are not judged', () => {
  for (const kind of ['featurize-theory', 'rntk-convergence']) {
    const configuration = resolveConfiguration({ kind });
    expect(whyNeverReported('whatever', configuration)).toBeNull();
  }
});
