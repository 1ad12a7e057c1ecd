import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runWarren } from '../support/warrenCommand.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const LOGGED = `
import warren
for name, phases, verdict in (("a", ["warm-up", "training"], "diverged at 3"), ("b", ["warm-up"], "fine"), ("c", [], None)):
    run = warren.init(project="said", name=name, console=False)
    for phase in phases:
        run.log({"phase": phase, "loss": 1})
    if verdict is not None:
        run.log({"verdict of it": verdict, "notes": [verdict, "second"]})
        run.log({"phase": warren.Image([[0.0, 1.0]])})
    run.finish()
run = warren.init(project="other", console=False)
run.log({"elsewhere": "x"})
run.finish()
`;

describe.skipIf(python === null)('runs with logged texts', () => {
  const { run } = python!;

  it('are found, ordered and grouped by their newest text, which a later picture of that name does not hide', async () => {
    await run(LOGGED);
    const printed = await run(`
import json, warren
api = warren.Api()
def names(filters, order="name"):
    return [one.name for one in api.runs("said", filters=filters, order=order)]
print(json.dumps([
    names("text.phase = training"), names('text.phase != training'), names('text."verdict of it" like "%diverged%"'),
    names("text.phase is null"), names("text.phase in (training, warm-up)"), names("text.notes like '%second'"),
    names(None, "-text.phase"), names({"summary_metrics.phase": "warm-up"}),
    names({"summary_metrics.phase": {"$in": ["training"]}}), names({"summary_metrics.verdict of it": {"$regex": "^fine"}}),
    api.groups("text.phase", "loss", "said", pandas=False)[0]["runs"],
    sorted(str(group["text.phase"]) for group in api.groups("text.phase", path="said", pandas=False)),
    api.run(api.runs("said", filters="name = b")[0].number).summary["phase"],
]))`);
    expect(JSON.parse(printed.trim().split('\n').at(-1) ?? '')).toEqual([
      ...[['a'], ['b'], ['a'], ['c'], ['a', 'b'], ['a', 'b']],
      ...[['b', 'a', 'c'], ['b'], ['a'], ['b']],
      ...[1, ['None', 'training', 'warm-up'], 'warm-up'],
    ]);
    const { runColumns } = await api.ok('{ runColumns(project: "said") { texts } }');
    expect(runColumns.texts).toEqual(['notes', 'phase', 'verdict of it']);
    expect((await api.ok('{ runColumns { texts } }')).runColumns.texts).toContain('elsewhere');
  });

  it('and what no run has are told with what may be meant, once', async () => {
    const printed = await run(`
import io, sys, warren
sys.__stderr__ = io.StringIO()
api = warren.Api()
assert len(api.runs("said", filters="metric.los < 1")) == 0 and len(api.runs("said", filters="metric.los < 1")) == 0
assert len(api.runs("said", filters="text.phas = x")) == 0
assert len(api.runs("said", filters="seed = 77", order="-metric.loss")) == 0
names = [one.name for one in api.runs("said", order="-metric.los", per_page=1)]
one = api.runs("said", filters="name = a")[0]
assert one.history(keys=["losss", "loss"], pandas=False)[0]["loss"] == 1
assert list(one.scan_history(keys=["losss"])) == [] and len(names) == 3
assert len(api.groups("name", ["los", "loss"], "said", pandas=False)) == 3
print(sys.__stderr__.getvalue())
`);
    expect(printed.trim().split('\n')).toEqual([
      'warren: runs: no run has a metric "los". Did you mean "loss"?',
      'warren: runs: no run has logged a text "phas". Did you mean "phase"?',
      "warren: run 1 has no metric 'losss'. Did you mean 'loss'?",
      'warren: groups: no run has a metric "los". Did you mean "loss"?',
    ]);
  });

  it('are listed with them by the command line, which says what name may be meant', async () => {
    const warren = (...words: string[]) => runWarren([...words, '--project', 'said'], { WARREN_API_URL: api.url });
    const listed = await warren(
      'ls',
      'text.phase is not null',
      '--columns',
      'name,text.phase',
      '--order',
      'text.phase',
    );
    expect(listed.stdout.trim().split('\n').slice(1)).toEqual([
      expect.stringMatching(/^a +training$/),
      expect.stringMatching(/^b +warm-up$/),
    ]);
    expect((await warren('ls', 'text.phas = x')).stderr).toContain(
      'no run has logged a text "phas". Did you mean "phase"?',
    );
    expect((await warren('ls', 'phase = warm-up', '--columns', 'name')).stdout).toMatch(/^b$/m);
    expect((await warren('ls', 'phas = x')).stderr).toContain('Did you mean "text.phase"?');
    const grouped = await warren('ls', '--group-by', 'text.phase', '--metric', 'loss', '--format', 'csv');
    expect(grouped.stdout).toContain('warm-up,1,');
  });
});
