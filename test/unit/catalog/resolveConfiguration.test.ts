import { describe, expect, test } from 'vitest';
import { KINDS, kindByName } from '#src/catalog/kinds.ts';
import { parseParameters } from '#src/catalog/parseParameters.ts';
import { parametersJsonSchema, resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';
import { ERROR_CODES, WarrenError } from '#src/base/contracts/errors.ts';
import { stableHash } from '#src/base/lib/stableHash.ts';

function refusal(request: Parameters<typeof resolveConfiguration>[0]): WarrenError {
  try {
    resolveConfiguration(request);
  } catch (thrown) {
    if (thrown instanceof WarrenError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was refused');
}

describe('filling in', () => {
  test('defaults of parameters and dataset', () => {
    const { kind, kindVersion, dataset, parameters } = resolveConfiguration({
      kind: 'markov',
      dataset: 'amazon-beauty',
    });
    expect({ kind, kindVersion, dataset, parameters }).toEqual({
      kind: 'markov',
      kindVersion: 1,
      dataset: {
        name: 'amazon-beauty',
        core: 0,
        coreRule: 'iterative',
        minimumRating: null,
        duplicates: 'keep',
        maximumLength: null,
        maximumUsers: null,
        lenient: false,
        split: 'leave-one-out',
        trainShare: null,
        validationShare: null,
        splitSeed: 0,
      },
      parameters: { smoothing: 1, cutoffs: [5, 10], excludeSeen: false },
    });
  });

  test('given parameters override those of the preset, which override defaults', () => {
    const preset = 'baselines/mf-bpr-beauty-unseen';
    const { dataset, parameters } = resolveConfiguration({ kind: 'mf-bpr', preset, parameters: { patience: 9 } });
    expect(dataset?.name).toBe('amazon-beauty');
    expect(parameters).toMatchObject({ excludeSeen: true, epochs: 200, patience: 9, dimension: 64 });
  });

  test('a dataset overrides that of the preset; one without a name only its preprocessing', () => {
    const of = (dataset: unknown) =>
      resolveConfiguration({ kind: 'markov', preset: 'baselines/markov-ml-1m', dataset }).dataset;
    expect(of('ml-100k')).toMatchObject({ name: 'ml-100k', core: 0 });
    expect(of({ core: 5 })).toMatchObject({ name: 'ml-1m', core: 5 });
    expect(of(null)).toMatchObject({ name: 'ml-1m' });
  });

  test('known datasets are spelt as the catalog does', () => {
    expect(resolveConfiguration({ kind: 'markov', dataset: 'ML-1M' }).dataset?.name).toBe('ml-1m');
    expect(resolveConfiguration({ kind: 'markov', dataset: 'My-Data' }).dataset?.name).toBe('My-Data');
  });

  test('external runs take any JSON and no dataset', () => {
    const parameters = { lr: 0.1, net: { layers: [1, 2], note: null }, tags: ['a'] };
    expect(resolveConfiguration({ kind: 'external', parameters })).toMatchObject({ dataset: null, parameters });
  });
});

describe('splits', () => {
  test('a kind that evaluates by leave-one-out refuses another split, and says which it takes', () => {
    const error = refusal({ kind: 'featurize-sequential', dataset: { name: 'ml-1m', split: 'ratio-by-time' } });
    expect(error).toMatchObject({ code: 'BAD_INPUT', path: 'dataset.split' });
    expect(error.message).toMatch(
      /received "ratio-by-time", but kind featurize-sequential evaluates by leave-one-out only/,
    );
  });

  test.each([
    [{ trainShare: 0.5 }, /leave-one-out and given take no shares/],
    [{ split: 'ratio-by-time', trainShare: 0.95 }, /something is left to test on/],
    [{ split: 'global-time', trainShare: 0 }, /something is left to test on/],
    [{ split: 'global-time', trainShare: 1.2 }, /at most 1/],
    [{ split: 'by-magic' }, /one of "leave-one-out", "ratio-by-time"/],
    [{ coreRule: 'twice' }, /dataset.coreRule/],
  ])('%j is refused', (over, message) => {
    const error = refusal({ kind: 'markov', dataset: { name: 'ml-1m', ...over } });
    expect(error.code).toBe('BAD_INPUT');
    expect(error.message).toMatch(message);
  });
});

describe('hash', () => {
  const hash = (request: Parameters<typeof resolveConfiguration>[0]): string => resolveConfiguration(request).hash;
  const base = { kind: 'markov', dataset: 'amazon-beauty' };

  test('is the same however the same configuration is asked for', () => {
    const expected = hash(base);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
    expect(hash({ ...base, parameters: { excludeSeen: false, smoothing: 1 } })).toBe(expected);
    expect(hash({ ...base, dataset: { maximumUsers: null, name: 'Amazon-Beauty', core: 0 } })).toBe(expected);
    expect(hash({ kind: 'markov', preset: 'baselines/markov-beauty' })).toBe(expected);
    expect(hash({ ...base, dataset: 'amazon-toys-and-games' })).toBe(hash({ ...base, dataset: 'amazon-toys' }));
  });

  test('models that predict from a mean are told how to update it; configurations that do not name it keep theirs', () => {
    const parametersOf = (kind: string, given: Record<string, unknown>, dataset = 'ml-1m') =>
      resolveConfiguration({ kind, dataset, parameters: given }).parameters;
    expect(parametersOf('item2vec', {})).not.toHaveProperty('contextUpdate');
    expect(parametersOf('item2vec', { model: 'cbow' })).toHaveProperty('contextUpdate', 'whole');
    expect(parametersOf('featurize-sequential', {})).toHaveProperty('doc2vec.contextUpdate', 'whole');
    const divided = { doc2vec: { contextUpdate: 'divided' } };
    expect(parametersOf('featurize-sequential', divided)).toHaveProperty('doc2vec.contextUpdate', 'divided');
    const texts = parametersOf('featurize-sentiment', { word2vec: { model: 'cbow' } }, 'imdb-reviews-6k');
    expect(texts).toHaveProperty('word2vec.contextUpdate', 'whole');
    // what an earlier run stored is executed as it was: the schema adds nothing
    const stored = { ...parametersOf('item2vec', { model: 'cbow' }), contextUpdate: undefined };
    expect(parseParameters(kindByName('item2vec'), stored)).not.toHaveProperty('contextUpdate', 'whole');
    const { message } = refusal({ kind: 'item2vec', dataset: 'ml-1m', parameters: { contextUpdate: 'whole' } });
    expect(message).toMatch(/contextUpdate.*skip-gram predicts from one vector/s);
  });

  test('fields of the dataset that came later change no hash while they are at their default', () => {
    const content = {
      kind: 'markov',
      kindVersion: 1,
      dataset: { name: 'amazon-beauty', core: 0, maximumUsers: null, split: 'leave-one-out' },
      parameters: { smoothing: 1, cutoffs: [5, 10], excludeSeen: false },
    };
    expect(hash(base)).toBe(stableHash(content));
    expect(hash({ ...base, dataset: { name: 'amazon-beauty', minimumRating: null, lenient: false } })).toBe(
      stableHash(content),
    );
  });

  test('differs with anything that changes the numbers', () => {
    const all = [
      hash(base),
      hash({ ...base, kind: 'popularity' }),
      hash({ ...base, dataset: 'ml-1m' }),
      hash({ ...base, dataset: { name: 'amazon-beauty', core: 5 } }),
      hash({ ...base, dataset: { name: 'amazon-beauty', core: 5, coreRule: 'one-pass' } }),
      hash({ ...base, dataset: { name: 'amazon-beauty', minimumRating: 4 } }),
      hash({ ...base, dataset: { name: 'amazon-beauty', duplicates: 'last' } }),
      hash({ ...base, dataset: { name: 'amazon-beauty', maximumLength: 50 } }),
      hash({ ...base, dataset: { name: 'amazon-beauty', lenient: true } }),
      hash({ ...base, parameters: { smoothing: 2 } }),
      hash({ ...base, parameters: { cutoffs: [10, 5] } }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('refusing', () => {
  test('lists each problem with its path, what was received and what is expected', () => {
    const error = refusal({
      kind: 'mf-bpr',
      dataset: 'amazon-beauty',
      parameters: { epochs: 'many', dimension: 0, learningrate: 1, cutoffs: [5, 1.5], excludeSeen: 1 },
    });
    expect(error).toMatchObject({ code: 'BAD_INPUT', path: expect.stringMatching(/^parameters\./) });
    expect(error.message.split('\n').sort()).toEqual(
      [
        '5 things are wrong with the parameters of mf-bpr:',
        'parameters.epochs: received "many", expected a number',
        'parameters.dimension: received 0, expected at least 1',
        'parameters.learningrate: is not known. Did you mean "learningRate"?',
        'parameters.cutoffs[1]: received 1.5, expected a whole number',
        'parameters.excludeSeen: received 1, expected a boolean',
      ].sort(),
    );
  });

  test.each([
    [{ kind: 'markof' }, 'NOT_FOUND', /no kind "markof"\. Did you mean "markov"\?/],
    [{ kind: 'zzzzzz' }, 'NOT_FOUND', /There are bert4rec, .* and \d+ more\./],
    [{ kind: 'markov', preset: 'baselines/markov-beuty' }, 'NOT_FOUND', /Did you mean "baselines\/markov-beauty"/],
    [{ kind: 'markov', preset: 'baselines/mf-bpr-beauty' }, 'NOT_FOUND', /It is a preset of mf-bpr/],
    [{ kind: 'external', preset: 'x' }, 'NOT_FOUND', /It has none/],
    [{ kind: 'markov' }, 'BAD_INPUT', /dataset: kind markov needs one/],
    [{ kind: 'external', dataset: 'ml-1m' }, 'BAD_INPUT', /kind external takes none, received "ml-1m"/],
    [{ kind: 'markov', dataset: 7 }, 'BAD_INPUT', /dataset: received 7, expected an object/],
    [{ kind: 'markov', dataset: '../x' }, 'BAD_INPUT', /dataset\.name: received "\.\.\/x", expected .*letters, digits/],
    [
      { kind: 'markov', dataset: { name: 'a', core: -1 } },
      'BAD_INPUT',
      /dataset\.core: received -1, expected at least 0/,
    ],
    [
      { kind: 'markov', dataset: { name: 'a', cor: 5 } },
      'BAD_INPUT',
      /dataset\.cor: is not known\. Did you mean "core"/,
    ],
    [{ kind: 'markov', dataset: 'generated/markof-small' }, 'BAD_INPUT', /Did you mean "generated\/markov-small"/],
    [
      { kind: 'markov', dataset: 'ml-1m', parameters: [] },
      'BAD_INPUT',
      /parameters: received \[\], expected an object/,
    ],
    [
      { kind: 'markov', dataset: 'ml-1m', parameters: { smoothing: Number.NaN } },
      'BAD_INPUT',
      /received NaN, expected a number/,
    ],
    [
      { kind: 'markov', dataset: 'ml-1m', parameters: { cutoffs: [] } },
      'BAD_INPUT',
      /at least 1 entries|at least 1 entry/,
    ],
    [{ kind: 'external', parameters: { f: () => 1 } }, 'BAD_INPUT', /parameters\.f: received function/],
    [
      { kind: 'overrec', dataset: 'ml-1m', parameters: { variant: 'author', layers: 2 } },
      'BAD_INPUT',
      /parameters\.layers: received 2: variant author has one layer/,
    ],
  ])('%o', (request, code, message) => {
    const error = refusal(request);
    expect(ERROR_CODES).toContain(code);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.path).toBeDefined();
  });

  test('a member called __proto__ is a parameter like any other', () => {
    const parameters: unknown = JSON.parse('{"__proto__": {"smoothing": 5}}');
    expect(refusal({ kind: 'markov', dataset: 'ml-1m', parameters }).message).toContain('__proto__');
  });
});

describe.each(KINDS.map((kind) => [kind.kind, kind] as const))('kind %s', (_, kind) => {
  test('every parameter has a default and a description that names it', () => {
    for (const [name, schema] of Object.entries(kind.parameters.shape)) {
      expect(schema.safeParse(undefined).success, `default of ${name}`).toBe(true);
      expect(schema.description?.length ?? 0, `description of ${name}`).toBeGreaterThan(20);
    }
  });

  test('its JSON Schema can draw a form', () => {
    const schema = JSON.parse(JSON.stringify(parametersJsonSchema(kind)));
    expect(schema.type).toBe('object');
    expect(schema.required).toBeUndefined();
    expect(Object.keys(schema.properties)).toEqual(Object.keys(kind.parameters.shape));
    for (const property of Object.values<{ default?: unknown; description?: string }>(schema.properties)) {
      expect(property.default).toBeDefined();
      expect(property.description).toBeDefined();
    }
  });

  test('every preset resolves, under a name of its own', () => {
    for (const preset of kind.presets) {
      expect(preset.name).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/);
      expect(resolveConfiguration({ kind: kind.kind, preset: preset.name }).hash).toMatch(/^[0-9a-f]{64}$/);
    }
    const names = KINDS.flatMap((other) => other.presets.map((preset) => preset.name));
    expect(new Set(names).size).toBe(names.length);
  });
});
