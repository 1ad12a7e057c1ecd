import { describe, expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const LOGGED = `query ($id: ID!) { run(id: $id) {
  texts { name texts } mediaSeries { name kind steps } metrics { name }
} }`;

async function runOf(printed: string) {
  const { texts, mediaSeries, metrics } = (await api.ok(LOGGED, { id: printed.trim().split('\n').at(-1) })).run;
  return {
    texts: Object.fromEntries(texts.map(({ name, texts: all }: { name: string; texts: string[] }) => [name, all])),
    series: Object.fromEntries(
      mediaSeries.map(({ name, kind, steps }: { name: string; kind: string; steps: number[] }) => [
        name,
        [kind, steps],
      ]),
    ),
    metrics: metrics.map(({ name }: { name: string }) => name).filter((name: string) => !name.startsWith('system/')),
  };
}

/** What both languages make of the same values. */
const TEXTS = {
  ...{ rates: ['[0.5, 0.25]'], mixed: ['[1, "a", null, {"b": [2]}]'], none: ['[]'], words: ['x', 'y'] },
  best: ['[1, 2, 3]'],
};
const HISTOGRAMS = { weights: ['histogram', [0, 1]], nested: ['histogram', [0, 1]], rates: ['text', [0]] };

describe.skipIf(python === null)('lists from Python', () => {
  it('are texts where they are short, histograms where they are long, and None is nothing', async () => {
    const printed = await python!.run(`
import datetime, pathlib, sys, warren
r = warren.init(project="lists", console=False)
class Array:
    """As NumPy's."""
    def __init__(self, values, shape): self.values, self.shape = values, shape
    def tolist(self): return self.values
for step in range(2):
    r.log({"loss": 1, "rates": [0.5, 0.25], "weights": list(range(40)), "nested": [[0.5] * 20, [1.5] * 20], "nothing": None,
           "mixed": [1, "a", None, {"b": [2]}], "none": [], "words": ["x", "y"], "object": object(), "array": Array([[1, 2], [3, 4]], (2, 2)),
           "large": Array([[0.5] * 30] * 2, (2, 30)), "day": datetime.date(2026, 11, 27), "path": pathlib.Path("a") / "b"})
r.summary["best"] = [1, 2, 3]
r.finish()
print(r.id)
`);
    const { texts, series, metrics } = await runOf(printed);
    expect(texts).toEqual({ ...TEXTS, array: ['[[1, 2], [3, 4]]'], day: ['2026-11-27'], path: ['a/b'] });
    expect(series).toMatchObject({ ...HISTOGRAMS, large: ['histogram', [0, 1]] });
    expect(metrics).toEqual(['loss']);
  });

  it('of NumPy are counted by NumPy, without what is not finite', async ({ skip }) => {
    const printed = await python!.run(`
try:
    import numpy
except ImportError:
    print("skip")
else:
    import math, warren
    values = numpy.random.default_rng(1).normal(size=(50, 20)).astype("float32")
    values[0, :3] = [math.nan, math.inf, -math.inf]
    made = warren.Histogram(values)
    counts, edges = numpy.histogram(values[numpy.isfinite(values)].astype(float), 64)
    assert made.histogram == counts.tolist() and made.bins == edges.tolist()
    assert warren.Histogram(numpy.array([math.nan])).histogram == [0] * 64
    print("done")
`);
    skip(printed.includes('skip'), 'this Python has no NumPy');
    expect(printed).toContain('done');
  });
});

it('lists from Node are the same', async () => {
  const script = `
import * as warren from '${builtFile('clients/warren.mjs')}';
class Tensor { size = 2; dataSync() { return new Float32Array([1, 2]); } }
const run = await warren.init({ project: 'lists' });
for (let step = 0; step < 2; step++) {
  warren.log({ loss: 1, rates: [0.5, 0.25], weights: Float32Array.from({ length: 40 }, (_, i) => i), nothing: null, gone: undefined,
    nested: [Array(20).fill(0.5), new Float64Array(20).fill(1.5)], mixed: [1, 'a', null, { b: [2] }], none: [], words: ['x', 'y'],
    object: new (class Odd {})(), day: new Date(0), tensor: new Tensor() });
}
run.summary.best = [1, 2, 3];
await warren.finish();
console.log(run.id);`;
  const shell = 'exec node --input-type=module -e "$SCRIPT"';
  const printed = await runShell(shell, { SCRIPT: script, WARREN_API_URL: api.url }, temporaryFolder());
  const { texts, series, metrics } = await runOf(printed);
  expect(texts).toEqual({ ...TEXTS, day: ['1970-01-01T00:00:00.000Z'], tensor: ['[1, 2]'] });
  expect(series).toMatchObject(HISTOGRAMS);
  expect(metrics).toEqual(['loss']);
});
