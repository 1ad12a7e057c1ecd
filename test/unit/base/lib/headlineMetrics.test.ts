import { expect, test } from 'vitest';
import { compareHeadlines, headlineOf } from '#src/base/lib/headlineMetrics.ts';

test('a run is told of by its primary metric, then test, validation, training, counters; the machine never', () => {
  const names = ['system/rssMb', 'train/loss', 'epoch', 'valid/ndcg@10', 'test/rare/mrr', 'test/mrr@10', 'test/mrr@5'];
  expect([...names].sort(compareHeadlines('valid/ndcg@10'))).toEqual([
    ...['valid/ndcg@10', 'test/mrr@5', 'test/mrr@10', 'test/rare/mrr', 'train/loss', 'epoch', 'system/rssMb'],
  ]);
  const cutOffs = ['valid/f1@5', 'valid/ndcg@5', 'valid/ndcg@10', 'test/ndcg@10'];
  expect([...cutOffs].sort(compareHeadlines('test/ndcg@10'))).toEqual([
    ...['test/ndcg@10', 'valid/ndcg@10', 'valid/ndcg@5', 'valid/f1@5'],
  ]);
  expect(headlineOf(names, null)).toBe('test/mrr@5');
  expect(headlineOf(['train/global_step', 'train/learning_rate', 'epoch', 'lr-Adam', 'train/loss'], null)).toBe(
    'train/loss',
  );
  expect(headlineOf(['step', 'epoch'], null)).toBe('epoch');
  expect(headlineOf(['val_loss', 'train_loss'], 'absent')).toBe('val_loss');
  expect(headlineOf(['system/cpu', 'time/epoch'], 'test/mrr')).toBeNull();
});
