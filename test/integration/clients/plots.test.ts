import { describe, expect, it } from 'vitest';
import { type Chart, plot, Table } from '#clients/typescript/node.ts';
import { classScores, rocPoints } from '#clients/typescript/core/scores.ts';
import { apiForTests, type GraphqlAnswer } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const TRUE = [0, 0, 1, 1, 2, 2, 2, 1];
const SCORES = [
  [0.7, 0.2, 0.1],
  [0.3, 0.4, 0.3],
  [0.2, 0.5, 0.3],
  [0.4, 0.3, 0.3],
  [0.1, 0.2, 0.7],
  [0.2, 0.5, 0.3],
  [0.3, 0.3, 0.4],
  [0.1, 0.8, 0.1],
];
const rows = Array.from({ length: 5 }, (_, x) => [x, x ** 2, x % 2 === 0 ? 'even' : 'odd']);
const table = new Table({ columns: ['x', 'y', 'which'], data: rows });
const charts: Readonly<Record<string, Chart>> = {
  line: plot.line(table, { x: 'x', y: 'y', stroke: 'which' }, { title: 'Squares' }),
  scatter: plot.scatter(table, { x: 'x', y: 'y' }),
  bar: plot.bar(table, { label: 'which', value: 'y' }),
  hist: plot.histogram(table, { value: 'y' }),
  series: plot.lineSeries(
    [0, 1],
    [
      [1, 2],
      [3, 4],
    ],
    { keys: ['a', 'b'], xname: 'epoch' },
  ),
  roc: plot.rocCurve(TRUE, SCORES, { labels: ['cat', 'dog', 'cow'] }),
  pr: plot.prCurve(TRUE, SCORES, { classesToPlot: [2], interpSize: 5 }),
  conf: plot.confusionMatrix({ yTrue: TRUE, probs: SCORES, classNames: ['cat', 'dog', 'cow'] }),
};

function contentOf({ packed }: Chart | Table): GraphqlAnswer['data'] {
  return JSON.parse(new TextDecoder().decode(packed.content!));
}

describe('plots', () => {
  it('have the rates and precisions that scikit-learn computes', () => {
    const all = classScores('rocCurve', { truth: TRUE, scores: SCORES }, {});
    // sklearn.metrics.roc_curve(np.array(TRUE) == k, np.array(SCORES)[:, k]), scikit-learn 1.9.1
    expect(rocPoints(all[0]!)).toEqual([
      [0, 0],
      [0, 0.5],
      [1 / 6, 0.5],
      [1 / 3, 1],
      [1, 1],
    ]);
    // max(precision[:-1][recall[:-1] >= r]) for r in 0, 0.25, …, of precision_recall_curve for class 2
    expect(contentOf(charts.pr!.table!).data).toEqual([
      ['2', 1, 0],
      ['2', 1, 0.25],
      ['2', 1, 0.5],
      ['2', 0.5, 0.75],
      ['2', 0.5, 1],
    ]);
    const counts = contentOf(charts.conf!.table!).data.map((row: unknown[]) => row[2]);
    expect(counts, 'as sklearn.metrics.confusion_matrix').toEqual([1, 1, 0, 1, 2, 0, 0, 1, 2]);
  });

  it('say what is wrong with what they are given', () => {
    expect(() => plot.line(table, { x: 'x', y: 'z' })).toThrow("no column 'z'; it has x, y, which");
    expect(() => plot.rocCurve([0, 1, 2], [0.1, 0.2, 0.3])).toThrow('3 classes need a score of each class');
    expect(() => plot.rocCurve([0, 1], [[0.1, 0.9]])).toThrow('2 examples are true, 1 have scores');
    expect(() => plot.confusionMatrix({ yTrue: [0, 3], preds: [0, 1], classNames: ['a', 'b'] })).toThrow(
      '3 has no name',
    );
    expect(() => plot.lineSeries([1], [[1, 2]])).toThrow('line 0 has 1 places, 2 values');
  });

  it('draw at most so many rows of a long table, and keep all in it', () => {
    const long = new Table({ columns: ['x'], data: Array.from({ length: 25_000 }, (_, i) => [i]) });
    const chart = plot.scatter(long, { x: 'x', y: 'x' });
    expect(contentOf(chart).data.values).toHaveLength(8_334);
    expect(contentOf(chart.table!).data).toHaveLength(25_000);
  });

  it.skipIf(python === null)('of Python are logged as charts with their tables, and equal those of Node', async () => {
    const printed = await python!.run(`
import warren as wandb
truth, scores = ${JSON.stringify(TRUE)}, ${JSON.stringify(SCORES)}
run = wandb.init(project="plots", save_code=False)
table = wandb.Table(columns=["x", "y", "which"], data=${JSON.stringify(rows)})
wandb.log({
    "line": wandb.plot.line(table, "x", "y", stroke="which", title="Squares"),
    "scatter": wandb.plot.scatter(table, "x", "y"),
    "bar": wandb.plot.bar(table, "which", "y"),
    "hist": wandb.plot.histogram(table, "y"),
    "series": wandb.plot.line_series(xs=[0, 1], ys=[[1, 2], [3, 4]], keys=["a", "b"], xname="epoch"),
    "roc": wandb.plot.roc_curve(truth, scores, labels=["cat", "dog", "cow"]),
    "pr": wandb.plot.pr_curve(truth, scores, classes_to_plot=[2], interp_size=5),
    "conf": wandb.plot.confusion_matrix(probs=scores, y_true=truth, class_names=["cat", "dog", "cow"]),
})
for call in (lambda: wandb.plot.line(table, "x", "z"), lambda: wandb.plot.roc_curve([0, 1, 2], [0.1, 0.2, 0.3]),
             lambda: wandb.plot.confusion_matrix(y_true=[0, 3], preds=[0, 1], class_names=["a", "b"])):
    try: call()
    except ValueError as error: print(error)
print(run.id)
wandb.finish()
`);
    const lines = printed.trim().split('\n');
    expect(lines[0]).toContain("no column 'z'; it has x, y, which");
    expect(lines[1]).toContain('3 classes need a score of each class');
    expect(lines[2]).toContain('class 3 has no name');
    const { run } = await api.ok('query ($id: ID!) { run(id: $id) { media(first: 200) { name kind url } } }', {
      id: lines.at(-1),
    });
    const logged = new Map<string, { kind: string; url: string }>(
      run.media.map((item: { name: string; kind: string; url: string }) => [item.name, item]),
    );
    expect([...logged.keys()].sort()).toEqual(
      Object.keys(charts)
        .flatMap((name) => [name, `${name}_table`])
        .sort(),
    );
    for (const [name, chart] of Object.entries(charts)) {
      expect(logged.get(name)?.kind).toBe('vegaLite');
      expect(logged.get(`${name}_table`)?.kind).toBe('table');
      const read = async (of: string): Promise<unknown> => (await api.fetch(logged.get(of)!.url)).json();
      expect(await read(name), name).toEqual(contentOf(chart));
      expect(await read(`${name}_table`), name).toEqual(contentOf(chart.table!));
    }
  });
});
