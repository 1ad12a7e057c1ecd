import { expect, test } from 'vitest';
import { groupLabel, questionOf, readQuestion, START_QUESTION } from '#web/features/comparisons/users/userQuestion.ts';

test('a question becomes names of metrics, from which it is read again', () => {
  const question = { ...START_QUESTION, cutoff: '7', by: 'length' as const, steps: '1, 5, 10' };
  const read = readQuestion(question);
  expect(read).toEqual({
    names: ['test/ndcg@7', 'test/length-1-4/ndcg@7', 'test/length-5-9/ndcg@7', 'test/length-10-up/ndcg@7'],
  });
  expect(questionOf('names' in read ? read.names : [])).toEqual(question);
  expect(questionOf(['test/ndcg@7'])).toEqual({ ...START_QUESTION, cutoff: '7' });
});

test('other metrics are the answer to no question', () => {
  expect(questionOf(['test/ndcg@7', 'test/hr@7'])).toBeNull();
  expect(questionOf(['train/loss'])).toBeNull();
  expect(questionOf(['test/length-1-4/ndcg@7'])).toBeNull();
});

test('what cannot be read says what would be right', () => {
  expect(readQuestion({ ...START_QUESTION, cutoff: '0' })).toHaveProperty('message');
  for (const steps of ['', '5, 1', '1.5', 'a', Array.from({ length: 20 }, (_, index) => index).join()]) {
    expect(readQuestion({ ...START_QUESTION, by: 'popularity', steps })).toHaveProperty('message');
  }
});

test('groups are named by their users', () => {
  expect(
    ['test/ndcg@7', 'test/length-5-9/ndcg@7', 'test/length-1-1/hr@7', 'test/popularity-100-up/hr@7'].map(groupLabel),
  ).toEqual(['all users', 'known interactions: 5 to 9', 'known interactions: 1', 'users with the target: 100 or more']);
});
