import { describe, expect, it } from 'vitest';
import { builtFile } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { runWarren } from '../support/warrenCommand.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const TEXTS = `query ($id: ID!) { run(id: $id) {
  number texts { name step texts } mediaSeries { name kind steps } metrics { name pointCount lastStep lastValue }
} }`;

async function runOf(printed: string) {
  return (await api.ok(TEXTS, { id: printed.trim().split('\n').at(-1) })).run;
}

const own = (metrics: { name: string }[]) => metrics.filter(({ name }) => !name.startsWith('system/'));

describe.skipIf(python === null)('texts from Python', () => {
  const { run } = python!;

  it('that are logged or put into the summary are found by the API, by show and by Api().run', async () => {
    const printed = await run(`
import warren
r = warren.init(project="texts", console=False)
for step in range(6):
    r.log({"loss": 1 / (step + 1), "phase": "warm-up" if step < 3 else "training", "net": {"said": ["a", "b%d" % step]}})
r.log({"long": "x" * 6000, "odd": "caf\\u00e9 \\x00\\n2"})
assert r.summary["phase"] == "training"
r.summary["best"] = "epoch 4"
r.summary["phase"] = "done"
r.summary["loss"] = 0.125
r.summary["alone"] = 7
r.finish()
back = warren.Api().run(r.id).summary
assert back["best"] == "epoch 4" and back["phase"] == "done" and back["net/said"] == ["a", "b5"], back
assert back["long"] == "x" * 5000 and back["loss"] == 0.125 and back["alone"] == 7, back
print(r.id)
`);
    const found = await runOf(printed);
    expect(found.texts).toEqual([
      { name: 'best', step: 6, texts: ['epoch 4'] },
      { name: 'long', step: 6, texts: ['x'.repeat(5000)] },
      { name: 'net/said', step: 5, texts: ['a', 'b5'] },
      { name: 'odd', step: 6, texts: [expect.stringMatching(/^café .*\n2$/)] },
      { name: 'phase', step: 7, texts: ['done'] },
    ]);
    const steps = Object.fromEntries(
      found.mediaSeries.map(({ name, steps }: { name: string; steps: number[] }) => [name, steps]),
    );
    expect(steps, 'a text that stays is logged once').toMatchObject({
      phase: [0, 3, 7],
      'net/said': [0, 1, 2, 3, 4, 5],
    });
    expect(own(found.metrics)).toEqual([
      { name: 'alone', pointCount: 1, lastStep: 6, lastValue: 7 },
      { name: 'loss', pointCount: 7, lastStep: 7, lastValue: 0.125 },
    ]);
    const shown = await runWarren(['show', String(found.number)], { WARREN_API_URL: api.url });
    expect(shown.stdout).toMatch(/\nTexts\n/);
    expect(shown.stdout).toMatch(/\nphase {2,}7 {2}done\n/);
  });

  it('that are logged after they were set in the summary stand there', async () => {
    const printed = await run(`
import warren
r = warren.init(project="texts", console=False)
r.summary["state"] = "planned"
r.summary["acc"] = 0.1
r.log({"state": "done", "acc": 0.9})
print(r.id)
`);
    const { texts, metrics } = await runOf(printed);
    expect(texts).toEqual([{ name: 'state', step: 0, texts: ['done'] }]);
    expect(own(metrics)).toEqual([{ name: 'acc', pointCount: 1, lastStep: 0, lastValue: 0.9 }]);
  });
});

it('texts from Node are kept, too, once while they stay', async () => {
  const script = `
import * as warren from '${builtFile('clients/warren.mjs')}';
const run = await warren.init({ project: 'texts' });
for (const phase of ['a', 'a', 'b']) warren.log({ phase, loss: 1 });
run.summary.best = 'epoch 4';
run.summary.loss = 0.5;
await warren.finish();
console.log(run.id);`;
  const shell = 'exec node --input-type=module -e "$SCRIPT"';
  const printed = await runShell(shell, { SCRIPT: script, WARREN_API_URL: api.url }, temporaryFolder());
  const { texts, mediaSeries, metrics } = await runOf(printed);
  expect(texts).toEqual([
    { name: 'best', step: 2, texts: ['epoch 4'] },
    { name: 'phase', step: 2, texts: ['b'] },
  ]);
  expect(mediaSeries.at(-1)).toMatchObject({ name: 'phase', steps: [0, 2] });
  expect(own(metrics)).toEqual([{ name: 'loss', pointCount: 4, lastStep: 3, lastValue: 0.5 }]);
});
