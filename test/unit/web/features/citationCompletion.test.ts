import { expect, test } from 'vitest';
import { citationOptions, citationPlace, withCitation } from '#web/features/reports/citationCompletion.ts';

const RUNS = [
  { number: 41, name: 'mf-lr0.1', seed: 2 },
  { number: 7, name: 'vae', seed: 1 },
];
const METRICS = ['valid/ndcg@10', 'test/ndcg@10', 'test/mrr'];
/** The caret is the bar. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = citationPlace(text, caret);
  return {
    text,
    place,
    offered: place === null ? [] : citationOptions(place, { metrics: METRICS, runs: RUNS }).map((one) => one.text),
  };
}

test.each([
  ['As [[|', ['run ', 'runs ', 'compare ']],
  ['As [[ru|', ['run ', 'runs ']],
  ['[[runs 4-6, #9: |', METRICS],
  ['[[run 4:te|', ['test/ndcg@10', 'test/mrr']],
  ['[[run 4: ndcg|]] ends', ['valid/ndcg@10', 'test/ndcg@10']],
  ['[[run |', ['41', '7']],
  ['[[run 4|', ['41']],
  ['[[run #7|', ['7']],
  ['[[runs 41, va|', ['7']],
  ['[[compare mf-lr|', ['41']],
  ['[[runs 4-6|', []],
  ['[[run 4: test/mrr]] is|', []],
  ['[[\nrun 4: |', []],
  ['plain|', []],
])('%j offers %j', (marked, offered) => {
  expect(at(marked).offered).toEqual(offered);
});

test('what is chosen ends the citation, and does not end it twice', () => {
  const { text, place } = at('ends at [[runs 4-6: mrr|]], so');
  expect(withCitation(text, place!, 'test/mrr')).toEqual({ text: 'ends at [[runs 4-6: test/mrr]], so', caret: 30 });
  const word = at('[[ru|');
  expect(withCitation(word.text, word.place!, 'runs ')).toEqual({ text: '[[runs ', caret: 7 });
});
