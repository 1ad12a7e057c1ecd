import { expect, test } from 'vitest';
import { datasetReport } from '#workers/data/report/datasetReport.ts';
import { generateInteractions } from '#workers/data/generate/generateInteractions.ts';
import { generateReviews } from '#workers/data/generate/generateReviews.ts';
import { loadLabelledText } from '#workers/data/load/loadLabelledText.ts';
import { numbersOf, UNKNOWN_WORD, vocabularyOf, wordsOf } from '#workers/data/prepare/wordNumbers.ts';
import { fileWith } from '../dataFiles.ts';
import { dirname } from 'node:path';

test('words are those of Keras: in lower case, without punctuation', () => {
  expect(wordsOf("A GREAT film!<br /><br />Don't  miss it: 10/10 [sic]")).toEqual([
    'a',
    'great',
    'filmbr',
    'br',
    'dont',
    'miss',
    'it',
    '1010',
    'sic',
  ]);
  expect(wordsOf(' ... !? ')).toEqual([]);
});

test('a vocabulary has the most frequent words, equal ones by code points, and one for all others', () => {
  const vocabulary = vocabularyOf(
    [
      ['b', 'a', 'b'],
      ['c', 'a', 'd'],
    ],
    4,
  );
  expect(vocabulary.words).toEqual([UNKNOWN_WORD, 'a', 'b', 'c']);
  expect([...numbersOf(['c', 'd', 'a', 'never'], vocabulary)]).toEqual([3, 0, 1, 0]);
});

test('generated reviews: equal arguments give equal texts, and opinions go with their class', async () => {
  const of = (seed: number) => generateReviews({ users: 200, items: 40, seed });
  expect(of(1)).toEqual(of(1));
  expect(of(2).texts).not.toEqual(of(1).texts);
  const { texts, labels, isTest } = of(1);
  const count = (text: string, word: string) => text.split(word).length - 1;
  const own = texts.reduce((sum, text, i) => sum + count(text, labels[i] === 1 ? 'good' : 'bad'), 0);
  const all = texts.reduce((sum, text) => sum + count(text, 'good') + count(text, 'bad'), 0);
  expect(own / all).toBeGreaterThan(0.75);
  expect(own / all).toBeLessThan(0.85);
  expect(isTest.reduce((sum, flag) => sum + flag, 0)).toBe(40);
  const { text } = await datasetReport('generated/reviews-200x40', { folders: [], cacheFolder: null });
  expect(text).toMatchObject({
    train: 160,
    test: 40,
    classes: [
      { label: '0', texts: 100 },
      { label: '1', texts: 100 },
    ],
  });
});

test('texts are found by the name of their file, and what is none is refused', async () => {
  const path = fileWith('label\ttext\n1\tgood\n0\tbad\n', 'opinions.tsv');
  const folders = [dirname(path)];
  const data = await loadLabelledText('opinions', { folders });
  expect(data).toMatchObject({ name: 'opinions', texts: ['good', 'bad'], classes: ['0', '1'] });
  const other = await loadLabelledText('generated/reviews-4x9', { folders: [] });
  expect(other.fingerprint).not.toBe(data.fingerprint);
  fileWith('1 2 3\n', 'numbers.txt');
  await expect(loadLabelledText('generated/markov-5x5', { folders })).rejects.toThrow(/holds no labelled texts/);
  await expect(loadLabelledText('missing', { folders })).rejects.toMatchObject({ code: 'DATA_ERROR' });
  const interactions = () => generateInteractions({ what: 'reviews', users: 4, items: 9, seed: 1 });
  expect(interactions).toThrow(/holds texts; expected sequences/);
});
