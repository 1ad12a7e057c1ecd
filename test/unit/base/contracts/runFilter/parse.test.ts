import { describe, expect, it } from 'vitest';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { parseRunFilter, parseRunOrder } from '#src/base/contracts/runFilter/parse.ts';

const parse = (text: string) => parseRunFilter(text, metricDirection);

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (!(error instanceof WarrenError)) throw error;
    expect(error.code).toBe('BAD_INPUT');
    expect(error.path).toBe('filter');
    return error.message;
  }
  throw new Error(`nothing was wrong with: ${text}`);
}

const kind = (value: string) => ({
  type: 'compareText',
  field: { type: 'text', name: 'kind' },
  operator: '=',
  value,
});

describe('run filter', () => {
  it('reads texts that were logged, by plain and by odd names', () => {
    const field = { type: 'loggedText', name: 'phase' };
    expect(parse('text.phase = warm-up')).toEqual({ type: 'compareText', field, operator: '=', value: 'warm-up' });
    expect(parse('texts.phase not in ("a b", 3)')).toEqual({
      type: 'inTexts',
      field,
      negated: true,
      values: ['a b', '3'],
    });
    expect(parse('text.phase ilike "%Warm%"')).toMatchObject({ type: 'like', field, caseless: true });
    expect(parse('text."x/y z" is null')).toMatchObject({ field: { type: 'loggedText', name: 'x/y z' } });
    expect(parseRunOrder('text.phase', metricDirection)).toEqual(field);
    expect(refusal('text. = 1')).toContain('as in text.phase');
    expect(refusal('metric.phase = warm-up')).toContain('; a text that was logged is text.phase');
    expect(refusal('metric."x/y" like "a%"')).toContain('; a text that was logged is text."x/y"');
  });

  it('is null for blanks', () => {
    expect(parse('')).toBeNull();
    expect(parse('  \n\t ')).toBeNull();
  });

  it('reads the example of the manual', () => {
    const text =
      'kind = overrec and dataset = "amazon-beauty" and metric."test/ndcg@10" > 0.02 and config.sigma_w < 1 or tag = baseline';
    expect(parse(text)).toEqual({
      type: 'or',
      operands: [
        {
          type: 'and',
          operands: [
            kind('overrec'),
            { type: 'compareText', field: { type: 'text', name: 'dataset' }, operator: '=', value: 'amazon-beauty' },
            {
              type: 'compareNumber',
              field: { type: 'metric', summary: 'last', name: 'test/ndcg@10' },
              operator: '>',
              value: 0.02,
            },
            {
              type: 'compareJson',
              field: { type: 'json', root: 'parameters', path: ['sigma_w'] },
              operator: '<',
              value: 1,
            },
          ],
        },
        { type: 'inTags', field: { type: 'tag' }, negated: false, values: ['baseline'] },
      ],
    });
  });

  it('binds not before and before or, and parentheses before all', () => {
    expect(parse('not kind = a and kind = b or kind = c')).toEqual({
      type: 'or',
      operands: [{ type: 'and', operands: [{ type: 'not', operand: kind('a') }, kind('b')] }, kind('c')],
    });
    expect(parse('not (kind = a and (kind = b or kind = c))')).toEqual({
      type: 'not',
      operand: { type: 'and', operands: [kind('a'), { type: 'or', operands: [kind('b'), kind('c')] }] },
    });
  });

  it('reads lists, patterns and null tests, negated or not, in any case of letters', () => {
    expect(parse('state IN (running, QUEUED) And seed not in (1, 2)')).toMatchObject({
      operands: [
        { type: 'inStates', negated: false, values: ['RUNNING', 'QUEUED'] },
        { type: 'inNumbers', negated: true, values: [1, 2] },
      ],
    });
    expect(parse('name not ilike "%Beauty_"')).toMatchObject({ type: 'like', negated: true, caseless: true });
    expect(parse('started is null')).toMatchObject({ type: 'null', negated: false });
    expect(parse('metric.loss is not null')).toMatchObject({ type: 'null', negated: true });
  });

  it('names status, state, and several of a kind alike', () => {
    expect(parse('status = failed')).toEqual(parse('state = FAILED'));
    expect(parse('tags = x')).toEqual(parse('tag = x'));
    expect(parse('error_code = x')).toEqual(parse('errorCode = x'));
  });

  it('reads quoted texts with escapes', () => {
    expect(parse(`name = 'it\\'s "so"'`)).toMatchObject({ value: `it's "so"` });
    expect(parse('name = "a\\n\\\\ b"')).toMatchObject({ value: 'a\n\\ b' });
    expect(parse('name like "100\\%"')).toMatchObject({ pattern: '100\\%' });
  });

  it('takes the best of a metric by its direction', () => {
    expect(parse('best."valid/ndcg@10" > 1')).toMatchObject({ field: { summary: 'maximum' } });
    expect(parse('best.train/loss < 1')).toMatchObject({ field: { summary: 'minimum' } });
    expect(refusal('kind = a and best.things > 1')).toMatch(/^filter, column 14: .*max\."things" or min\."things"/);
  });

  it('finds datasets and environment inside JSON', () => {
    expect(parse('config.dataset.core = 5')).toMatchObject({ field: { root: 'dataset', path: ['core'] }, value: 5 });
    expect(parse('config.dataset = x')).toMatchObject({ field: { root: 'dataset', path: ['name'] }, value: 'x' });
    expect(parse('env.versions."tf.js" = "4"')).toMatchObject({
      field: { root: 'environment', path: ['versions', 'tf.js'] },
      value: '4',
    });
    expect(parse('config.dense = true')).toMatchObject({ value: true });
    expect(parse('config.dense = "true"')).toMatchObject({ value: 'true' });
  });

  it('reads numbers that are not finite', () => {
    expect(parse('metric.loss = nan')).toMatchObject({ value: Number.NaN });
    expect(parse('metric.loss < -inf')).toMatchObject({ value: Number.NEGATIVE_INFINITY });
  });

  it('reads points in time, days and distances', () => {
    const day = Date.UTC(2026, 10, 21);
    expect(parse('created >= 2026-11-21')).toMatchObject({
      value: { relative: false, start: day, end: day + 86_400_000 },
    });
    expect(parse('created < 2026-11-21T10:30Z')).toMatchObject({ value: { start: day + 37_800_000 } });
    expect(parse('created < "2026-11-21 12:30+02:00"')).toMatchObject({ value: { start: day + 37_800_000 } });
    expect(parse('ended > -2d')).toMatchObject({ value: { relative: true, start: -172_800_000 } });
  });

  it('points at the column of what is wrong', () => {
    const cases: [string, number, RegExp][] = [
      ['kind = ', 8, /expected a value.*not the end/],
      ['kind overrec', 6, /expected =, !=.*after kind, not "overrec"/],
      ['knid = overrec', 1, /there is no field "knid"\. Did you mean "kind"/],
      ['learningRate = 0.1', 1, /there is no field "learningRate"\. A parameter is config\.learningRate, a metric/],
      ['state = runing', 9, /there is no state "runing"\. Did you mean "RUNNING"/],
      ['metric.loss > low', 15, /metric\.loss is compared with a number, not with "low"/],
      ['seed = 1 and (kind = a', 23, /expected "and", "or" or "\)", not the end/],
      ['kind = a kind = b', 10, /expected "and", "or" or the end, not "kind"/],
      ['kind = "a', 8, /no closing "/],
      ['state > running', 7, /a state is compared with = or !=/],
      ['created = soon', 11, /2026-11-21/],
      ['created = 2026-02-31', 11, /2026-11-21/],
      ['seed like "1%"', 6, /"like" is for texts/],
      ['kind = null', 8, /is null/],
      ['kind not = a', 10, /"in", "like" or "ilike" after "not"/],
      ['kind ! a', 6, /single "!"/],
      ['metric > 1', 1, /expected a name after "metric\."/],
      ['tag in ()', 9, /expected a value/],
      ['kind = a and', 13, /expected a field/],
      ['name like "a\\\\\\', 11, /no closing/],
      ['kind.x = 1', 1, /"kind" has no parts/],
    ];
    for (const [text, column, message] of cases) {
      const received = refusal(text);
      expect(received, text).toMatch(new RegExp(`^filter, column ${column}: `));
      expect(received, text).toMatch(message);
    }
  });

  it('shows the place under the text with a caret', () => {
    expect(refusal('kind = a and sed = 1')).toMatch(/\n {2}kind = a and sed = 1\n {2} {13}\^$/);
    expect(refusal('kind = a\n  and sed = 1')).toMatch(/line 2, column 7:[^\n]*\n {4}and sed = 1\n {8}\^$/);
  });

  it('bounds depth and length', () => {
    expect(refusal(`${'('.repeat(5000)}kind = a`)).toMatch(/more than 100 levels/);
    expect(refusal(`${'not '.repeat(2000)}kind = a`)).toMatch(/more than 100 levels/);
    expect(refusal('x'.repeat(10_001))).toMatch(/at most 10000 characters/);
    expect(refusal(Array.from({ length: 201 }, () => 'seed=1').join(' or '))).toMatch(/more than 200 conditions/);
  });
});

describe('run order', () => {
  it('names a field', () => {
    expect(parseRunOrder('metric."test/mrr"', metricDirection)).toEqual({
      type: 'metric',
      summary: 'last',
      name: 'test/mrr',
    });
    expect(() => parseRunOrder('number desc', metricDirection)).toThrow(/orderBy\.by, column 8: expected one field/);
    expect(() => parseRunOrder('tag', metricDirection)).toThrow(/cannot be ordered by tag/);
    expect(() => parseRunOrder('', metricDirection)).toThrow(/expected a field/);
  });
});
