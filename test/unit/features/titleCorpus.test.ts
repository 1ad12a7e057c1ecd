import { describe, expect, test } from 'vitest';
import { generatedItemTable } from '#workers/data/generate/generatedItemTable.ts';
import { titleCorpus, titleWords } from '#workers/features/titleCorpus.ts';

describe('words of titles', () => {
  test.each([
    ['Matrix, The (1999)', ['matrix', 'the', '1999']],
    ['Schindler’s List & Il y a 1 an: été', ['schindler’s', 'list', 'il', 'y', 'a', '1', 'an', 'été']],
    ["Children's|Sci-Fi", ["children's", 'sci', 'fi']],
    ['… !', []],
  ])('%s', (text, words) => {
    expect(titleWords(text)).toEqual(words);
  });

  test('each text is one document, also one without words', () => {
    const corpus = titleCorpus(['Toy Story', '', 'toy soldiers'], 1);
    expect(corpus.vocabulary).toEqual(['toy', 'story', 'soldiers']);
    expect([...corpus.offsets]).toEqual([0, 2, 2, 4]);
    expect([...corpus.tokens]).toEqual([0, 1, 0, 2]);
    expect(corpus.emptyDocuments).toBe(1);
  });

  test('rare words are left out', () => {
    const corpus = titleCorpus(['a b d', 'b a c', 'c a'], 2);
    expect(corpus.vocabulary).toEqual(['a', 'b', 'c']);
    expect([...corpus.offsets]).toEqual([0, 2, 5, 7]);
    expect(() => titleCorpus(['a b', 'a'], 2)).toThrow(/vocabulary of 1 words that come at least 2 times/);
  });

  test.each([[['same', 'Same']], [['', '?']]])('fewer than two words are refused: %j', (texts) => {
    expect(() => titleCorpus(texts, 1)).toThrow(/expected at least 2/);
  });
});

test('titles of generated items share most words inside a cluster, and are the same each time', () => {
  const table = [...generatedItemTable('generated/clusters-50x90')!.values()];
  expect([...generatedItemTable('generated/clusters-50x90')!.values()]).toEqual(table);
  expect([...generatedItemTable('generated/clusters-50x90-seed2')!.values()]).not.toEqual(table);
  const shared = { inside: { pairs: 0, words: 0 }, across: { pairs: 0, words: 0 } };
  for (const [at, one] of table.entries()) {
    for (const other of table.slice(at + 1)) {
      const count = shared[one.genres[0] === other.genres[0] ? 'inside' : 'across'];
      count.pairs++;
      count.words += new Set(titleWords(one.title).filter((word) => titleWords(other.title).includes(word))).size;
    }
  }
  expect(shared.inside.words / shared.inside.pairs).toBeGreaterThan((5 * shared.across.words) / shared.across.pairs);
});
