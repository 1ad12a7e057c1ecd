import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests({ externalLeases: { withHeartbeats: 5, withoutHeartbeats: 900 } });
const python = pythonForTests({ WARREN_API_URL: api.url });

const SWEEP = `query ($id: ID!) { sweep(id: $id) { state reason definition best { number objective }
  counts { total running succeeded failed cancelled pruned planned }
  trials(first: 100) { number point state objective error runs { number name seed state tags metrics { name } configuration { parameters } } } } }`;

const sweepOf = async (id: string) => (await api.ok(SWEEP, { id })).sweep;

/** Starts a sweep from Python, and answers its number. */
async function sweepFrom(file: string): Promise<string> {
  return (await python!.run(`import warren\nprint(warren.sweep(${file}, project="own"))`)).trim();
}

describe.skipIf(python === null)('sweeps over functions of Python', () => {
  it('executes a program written for W&B unchanged but for its import', async () => {
    const printed = await python!.run(`
import warren as wandb

configuration = {
    "method": "bayes", "name": "own function", "metric": {"goal": "minimize", "name": "score"}, "run_cap": 6,
    "parameters": {"x": {"max": 0.9, "min": 0.1}, "y": {"values": [1, 3, 7]}, "net": {"parameters": {"width": {"value": 8}}}},
}

def main():
    with wandb.init(project="my-first-sweep", config={"x": 5, "batch": 32, "net": {"depth": 2}}, tags=["mine"]) as run:
        wandb.config.update({"y": 99, "later": True}, allow_val_change=True)
        assert wandb.config.net == {"depth": 2, "width": 8}, wandb.config
        wandb.log({"score": wandb.config.x ** 3 + wandb.config["y"]})

sweep_id = wandb.sweep(sweep=configuration, project="my-first-sweep")
print(wandb.agent(sweep_id, function=main, count=2), wandb.agent("entity/my-first-sweep/" + sweep_id, main), sweep_id)
`);
    const [first, second, id] = printed.trim().split(' ');
    expect([first, second]).toEqual(['2', '4']);
    const { trials, ...sweep } = await sweepOf(id!);
    expect(sweep).toMatchObject({ state: 'FINISHED', counts: { total: 6, succeeded: 6, planned: 6 } });
    const scores: number[] = [];
    for (const { number, point, state, objective, runs } of trials) {
      expect(objective).toBeCloseTo(point.x ** 3 + point.y, 12);
      scores.push(objective);
      expect({ state, runs }).toMatchObject({
        state: 'SUCCEEDED',
        runs: [{ name: `own function · trial ${number}`, seed: 1, state: 'SUCCEEDED', tags: ['mine'] }],
      });
      const parameters = { x: point.x, y: point.y, batch: 32, later: true, net: { width: 8, depth: 2 } };
      expect(runs[0].configuration.parameters).toEqual(parameters);
    }
    expect(sweep.best.objective).toBe(Math.min(...scores));
  });

  it('gives every point of a grid to one of two agents, with each seed', async () => {
    const id = await sweepFrom(
      '{"method": "grid", "metric": {"name": "valid/loss"}, "seeds": 2, "parameters": {"x": {"values": [1, 2, 3, 4]}}}',
    );
    const agent = `
import warren
def main():
    run = warren.init()
    warren.log({"valid/loss": run.config.x + run.seed / 10})
print(warren.agent("${id}", main))`;
    const counts = await Promise.all([python!.run(agent), python!.run(agent)]);
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(8);
    const { state, trials } = await sweepOf(id);
    expect(state).toBe('FINISHED');
    expect(
      trials.map(({ point, objective }: { point: { x: number }; objective: number }) => [point.x, objective]),
    ).toEqual([1, 2, 3, 4].map((x) => [x, expect.closeTo(x + 0.15, 12)]));
    for (const { runs } of trials) expect(runs.map(({ seed }: { seed: number }) => seed)).toEqual([1, 2]);
  });

  it('gives the trial of a killed agent to another one', async () => {
    const id = await sweepFrom(
      '{"method": "grid", "metric": {"name": "loss"}, "parameters": {"x": {"values": [1, 2]}}}',
    );
    const victim = python!.start(`
import time, warren
def main():
    warren.init()
    warren.log({"loss": 1})
    while True:
        time.sleep(1)
warren.agent("${id}", main)`);
    await waitUntil('its first run', async () => (await sweepOf(id)).trials[0]?.runs.length === 1);
    victim.child.kill('SIGKILL');
    await victim.ended;
    await waitUntil('the crash', async () => (await sweepOf(id)).trials[0].runs[0].state === 'CRASHED', 20_000);
    expect(await sweepOf(id)).toMatchObject({ state: 'RUNNING', trials: [{ state: 'RUNNING' }] });
    await python!.run(`
import warren
def main():
    with warren.init() as run:
        run.log({"loss": run.config.x * 10})
assert warren.agent("${id}", main) == 2`);
    expect(await sweepOf(id)).toMatchObject({
      state: 'FINISHED',
      trials: [
        { state: 'SUCCEEDED', objective: 10, runs: [{}, { state: 'SUCCEEDED' }] },
        { state: 'SUCCEEDED', objective: 20, runs: [{ state: 'SUCCEEDED' }] },
      ],
    });
  });

  it('stops a hopeless trial early, also in the background, and goes on with the next', async () => {
    const id =
      await sweepFrom(`{"method": "grid", "metric": {"name": "loss", "goal": "minimize"}, "parameters": {"x": {"values": [1, 2, 3]}},
      "early_terminate": {"type": "median", "min_iter": 2, "min_trials": 1}}`);
    const printed = await python!.run(`
import signal, time, warren
# as a shell does for programs in the background
signal.signal(signal.SIGINT, signal.SIG_IGN)
def main():
    with warren.init() as run:
        for step in range(3 if run.config.x == 1 else 10_000):
            run.log({"loss": run.config.x if step < 5 else 100})
            time.sleep(0.05)
print(warren.agent("${id}", main))`);
    expect(printed.trim()).toBe('3');
    const { trials, counts } = await sweepOf(id);
    expect(counts).toMatchObject({ succeeded: 1, pruned: 2 });
    expect(trials[1].runs).toMatchObject([{ state: 'PRUNED' }]);
  });

  it('counts a function that raises, exits, or makes no run as failed, and goes on', async () => {
    const id = await sweepFrom(
      '{"method": "grid", "metric": {"name": "loss"}, "parameters": {"x": {"values": [0, 1, 2, 3, 4]}}}',
    );
    const { stderr, stdout, code } = await python!.start(`
import sys, warren
calls = []
def main():
    calls.append(1)
    if len(calls) == 1:
        return
    run = warren.init()
    if run.config.x == 1:
        raise ValueError("no such layer")
    if run.config.x == 2:
        sys.exit("out of data")
    if run.config.x == 4:
        run.log({"loss": 4})
print(warren.agent("${id}", main))`).ended;
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '5' });
    expect(stderr).toContain('ValueError: no such layer');
    const { trials } = await sweepOf(id);
    expect(trials.map(({ state }: { state: string }) => state)).toEqual([
      ...['FAILED', 'FAILED', 'FAILED', 'FAILED', 'SUCCEEDED'],
    ]);
    expect(trials[3].error).toBe('it reported no loss');
    const { runs } = await api.ok(
      `{ runs(first: 10, filter: "sweep = ${id}") { edges { node { error { message } } } } }`,
    );
    const messages = runs.edges.flatMap(
      ({ node }: { node: { error: { message: string } | null } }) => node.error?.message ?? [],
    );
    expect(messages.sort()).toEqual([
      ...['ValueError: no such layer', 'out of data', 'the function made no run: it has to call warren.init()'],
    ]);
  });

  it('waits while the sweep is paused, and ends when it is cancelled, at any moment', async () => {
    const id = await sweepFrom(
      '{"method": "random", "metric": {"name": "loss"}, "run_cap": 3, "parameters": {"x": {"min": 0.0, "max": 1.0}}}',
    );
    await api.ok(`mutation { pauseSweep(id: "${id}") { id } }`);
    const agent = python!.start(`
import time, warren
warren.agent.__globals__["PAUSE_SECONDS"] = 0.1
def main():
    warren.init()
    while True:
        warren.log({"loss": 1})
        time.sleep(0.05)
warren.agent("${id}", main)`);
    await waitUntil('its word', () => agent.stderr().includes(`sweep ${id} is paused`));
    await api.ok(`mutation { resumeSweep(id: "${id}") { id } }`);
    await waitUntil('what it logs', async () => (await sweepOf(id)).trials[0]?.runs[0].metrics.length > 0);
    await api.ok(`mutation { cancelSweep(id: "${id}") { id } }`);
    expect(await agent.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('has no more trials') });
    expect(await sweepOf(id)).toMatchObject({ state: 'CANCELLED', trials: [{ state: 'CANCELLED' }] });
  });

  it('executes the program that a sweep names', async () => {
    writeFileSync(
      join(python!.folder, 'train.py'),
      `import argparse, warren
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
options = parser.parse_args()
run = warren.init(config=options)
run.log({"loss": options.lr * 2})
`,
    );
    const id = await sweepFrom(
      `{"method": "grid", "program": "train.py", "command": ["\${envvar:HERE}", "\${program}", "\${args}"], "metric": {"name": "loss"}, "parameters": {"lr": {"values": [0.5, 0.25]}}}`,
    );
    await python!.run(
      `import os, sys, warren.__main__\nos.environ["HERE"] = "python3"\nsys.exit(warren.__main__.main(["agent", "${id}"]))`,
    );
    expect(await sweepOf(id)).toMatchObject({ state: 'FINISHED', trials: [{ objective: 1 }, { objective: 0.5 }] });
  });

  it('confirms the best trial with fresh seeds, which the next agent takes, and reads the sweep back', async () => {
    const number = await sweepFrom(
      '{"method": "grid", "metric": {"name": "loss"}, "seeds": [4], "parameters": {"net": {"parameters": {"x": {"values": [3, 1, 2]}}}}}',
    );
    const said = JSON.parse(
      await python!.run(`
import json, math, warren

def train():
    with warren.init(config={"net": {"depth": 2}}) as run:
        run.log({"loss": run.config["net"]["x"] + run.seed / 100})

api = warren.Api()
sweep = api.sweep("me/own/${number}")
before = [sweep.best_run(), sweep.best, sweep.trials(pandas=False)]
warren.agent("${number}", train)
assert api.sweep(${number}).state == "finished"
sweep.load()
queued = sweep.confirm(seeds=2)
waiting = sweep.untaken_seeds
done = warren.agent("${number}", train)
again = warren.agent("${number}", train)
sweep.extend(concurrency=7)
extended = [sweep.state, sweep.config["concurrency"]]
sweep.load()
try:
    api.sweep(123456)
except ValueError as error:
    missing = str(error).split(" at ")[0]
print(json.dumps({
    "before": before, "queued": queued, "waiting": waiting, "done": done, "again": again, "missing": missing,
    "best": [sweep.best, sweep.best_trial, sweep.best_value, sweep.best_run().summary["loss"]],
    "trials": [[row["trial"], row["state"], row["objective"], row["net.x"]] for row in sweep.trials(pandas=False)],
    "confirmations": [[run.seed, run.tags, run.config, run.summary["loss"]] for run in sweep.confirmations()],
    "runs": [len(sweep.runs), sweep.expected_run_count, next(api.sweeps("own")).number == sweep.number, repr(sweep)],
    "left": sweep.untaken_seeds, "extended": extended,
}))
`),
    );
    expect(said).toEqual({
      ...{
        before: [null, null, []],
        queued: [],
        waiting: [5, 6],
        done: 2,
        again: 0,
        left: [],
        extended: ['finished', 7],
      },
      missing: 'there is no sweep 123456',
      best: [{ 'net.x': 1 }, 1, 1.04, 1.04],
      trials: [
        [0, 'succeeded', 3.04, 3],
        [1, 'succeeded', 1.04, 1],
        [2, 'succeeded', 2.04, 2],
      ],
      confirmations: [
        [5, ['confirm'], { net: { depth: 2, x: 1 } }, 1.05],
        [6, ['confirm'], { net: { depth: 2, x: 1 } }, 1.06],
      ],
      runs: [5, 3, true, expect.stringMatching(/^<Sweep \d+ .* \(finished\)>$/)],
    });
  });

  it('says what is wrong with a sweep', async () => {
    const said = JSON.parse(
      await python!.run(`
import json, warren
said = []
for ask in (
    lambda: warren.sweep({"method": "random", "parameters": {}}),
    lambda: warren.sweep({"method": "grid", "metric": {"name": "test/loss"}, "parameters": {"x": {"values": [1]}}}),
    lambda: warren.agent("999", lambda: None),
    lambda: warren.agent(warren.sweep({"method": "grid", "parameters": {"x": {"values": [1]}}})),
    lambda: warren.agent(warren.sweep({"method": "random", "run_cap": 1, "kind": "item-knn", "dataset": "generated/markov-small",
        "metric": {"name": "valid/ndcg@10"}, "parameters": {"neighbours": {"min": 10, "max": 20}}}), lambda: None),
):
    try:
        ask()
    except ValueError as error:
        said.append(str(error))
print(json.dumps(said))`),
    );
    expect(said).toEqual([
      expect.stringContaining('parameters: expected at least one parameter'),
      expect.stringContaining('is measured on the test data'),
      expect.stringContaining('there is no sweep 999'),
      expect.stringContaining('names no program: give a function'),
      expect.stringContaining('workers execute the trials of sweep'),
    ]);
  });
});
