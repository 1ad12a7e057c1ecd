import { describe, expect, test } from 'vitest';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { completionOptions, completionPlace, lookedUpField } from '#web/features/runs/filterCompletion.ts';

const KNOWN = {
  paths: ['parameters.optimizer.learningRate', 'parameters.width', 'dataset.core'],
  metrics: ['test/ndcg@10', 'train/loss'],
  texts: ['phase', 'odd name'],
};
/** What is offered where | stands, and the text with the first of it. */
function offered(marked: string, values: readonly unknown[] = []) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const place = completionPlace(text, caret);
  const options = completionOptions(place, KNOWN, values).map((option) => option.text);
  return { place, options, text: text.slice(0, place.from) + (options[0] ?? '') + text.slice(place.to) };
}

describe('what is offered while a filter is written', () => {
  test('fields by any part of their names', () => {
    expect(offered('|').options.slice(0, 3)).toEqual(['state', 'kind', 'dataset']);
    expect(offered('lear|').text).toBe('config.optimizer.learningRate');
    expect(offered('state = RUNNING and not (ndcg|').text).toBe('state = RUNNING and not (metric."test/ndcg@10"');
    expect(offered('metric."tr|').options).toEqual(['metric."train/loss"']);
    expect(offered('best.|').options).toEqual(['best."test/ndcg@10"', 'best."train/loss"']);
    expect(offered('phas|').text).toBe('text.phase');
    expect(offered('odd|').text).toBe('text."odd name"');
    expect(offered('text.phase |').options).toContain('ilike');
    expect(lookedUpField(offered('text.phase = |').place)).toBe('text.phase');
    expect(offered('da|ta = x').text).toBe('dataset = x');
    expect(offered('nothing like it|').options).toEqual([]);
  });

  test('the operators of a field', () => {
    expect(offered('state |').options).toEqual(['=', '!=', 'in', 'not in']);
    expect(offered('metric."test/ndcg@10" |').options[0]).toBe('>');
    expect(offered('created |').options.slice(0, 2)).toEqual(['>=', '>']);
    expect(offered('name not l|').options).toContain('like');
    expect(offered('kind is |').options).toEqual(['null', 'not null']);
  });

  test('values: states, times, and what runs have in the field', () => {
    expect(offered('state = su|').text).toBe('state = SUCCEEDED');
    expect(offered('created > |').options).toContain('-7d');
    const names = ['ml-1m', 'two words', '12', 'and', 7, true, null, { a: 1 }];
    expect(offered('dataset = |', names).options).toEqual(['ml-1m', '"two words"', '"12"', '"and"', '7', 'true']);
    expect(offered('dataset in |', names).options[0]).toBe('(ml-1m');
    expect(offered('dataset = "tw|', names).text).toBe('dataset = "two words"');
    expect(offered('dataset in (ml-1m, |', ['ml-1m']).options).toEqual(['ml-1m']);
    expect(offered('dataset in (ml-1m|', ['ml-1m', 'ml-100k']).options).toEqual([]);
    expect(offered('dataset in (ml-1m |').options).toEqual([',', ')']);
    expect(
      ['user = |', 'config.width = |', 'tag in (|', 'seed = |'].map((text) => lookedUpField(offered(text).place)),
    ).toEqual(['user', 'config.width', 'tag', 'seed']);
    expect(
      ['state = |', 'metric.loss > |', 'user |', 'unknown = |'].map((text) => lookedUpField(offered(text).place)),
    ).toEqual([null, null, null, null]);
  });

  test('what goes on after a condition', () => {
    expect(offered('kind = rntk |').options).toEqual(['and', 'or']);
    expect(offered('(kind = rntk |').options).toEqual(['and', 'or', ')']);
    expect(offered('kind is null o|').text).toBe('kind is null or');
  });

  test('always a filter that can be read, word by word', () => {
    let text = '';
    for (const typed of ['wid', '> ', '8 ', 'an', 'stat', '= ', 'fail', 'o', 'use', '= ', '']) {
      const { place, options } = offered(`${text}${typed}|`, ['Zoë Doe']);
      text = typed.endsWith(' ') ? `${text}${typed}` : `${text.slice(0, place.from)}${options[0]} `;
    }
    expect(text).toBe('config.width > 8 and state = FAILED or user = "Zoë Doe" ');
    expect(() => parseRunFilter(text, () => null)).not.toThrow();
  });
});
