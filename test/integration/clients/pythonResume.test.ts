import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });
const { runOf, history } = loggedRuns(api);

describe.skipIf(python === null)('a Python program that goes on with a run', () => {
  const { run } = python!;
  const sync = (folder: string) =>
    run(`import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync", "${folder}"]))`);
  const offline = (folder: string, options: string, body: string) =>
    run(`
import warren, os
r = warren.init(project="mine", mode="offline", dir="${folder}", save_code=False, console=False, ${options})
${body}
print(r.id, end="")
`);

  it('offline counts on from the steps of the program before it, and all of both is sent', async () => {
    await offline('twice', 'id="twice", config={"lr": 1}', 'for i in range(3): r.log({"loss": i})');
    const id = await offline(
      'twice',
      'id="twice", resume="must", config={"lr": 2, "new": 5}',
      'assert r.step == 3, r.step\nr.log({"loss": 9}); open("w", "w").close(); r.log_artifact("w")',
    );
    expect(await sync('twice')).not.toContain('refused');
    expect(await history(id, 'loss')).toEqual({ steps: [0, 1, 2, 3], values: [0, 1, 2, 9] });
    expect(await runOf(id)).toMatchObject({
      state: 'SUCCEEDED',
      configuration: { parameters: { lr: 2, new: 5 } },
      artifacts: [{ name: 'w' }],
    });
    expect(await sync('twice')).toContain('nothing new');
  });

  it('offline is sent also where the program before it was cancelled, or had been sent long before', async () => {
    await offline('preempted', 'id="preempted"', 'r.log({"loss": 0}); r._end("CANCELLED", None, 0)');
    expect(await sync('preempted')).toContain(': sent');
    const id = await offline('preempted', 'id="preempted", resume="allow"', 'r.log({"loss": 1})');
    expect(await sync('preempted')).not.toContain('refused');
    expect(await history(id, 'loss')).toEqual({ steps: [0, 1], values: [0, 1] });
    expect(await runOf(id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('offline is sent, too, from another machine after the end, and leaves the run ended as it was', async () => {
    await offline('first', 'id="nodes"', 'r.log({"loss/0": 0})\nr.finish(1, "no memory")');
    await sync('first');
    const id = await offline('second', 'id="nodes"', 'r.log({"loss/1": 1})\nr._joined = True');
    expect(await sync('second')).not.toContain('refused');
    expect(await history(id, 'loss/1')).toEqual({ steps: [0], values: [1] });
    expect(await runOf(id)).toMatchObject({ state: 'FAILED', error: { message: 'no memory' } });
  });

  it.each(['online', 'offline'])(
    '%s has what it sets in the summary stand over what the program before it set',
    async (mode) => {
      const program = (text: string, value: number) => `
import warren
r = warren.init(project="mine", id="summed-${mode}", resume="allow", mode="${mode}", dir="summed", save_code=False, console=False)
r.summary["verdict"] = "${text}"; r.summary["best"] = ${value}
r.finish(); print(r.id, end="")`;
      await run(program('weak', 0.1));
      const id = await run(program('strong', 0.9));
      if (mode === 'offline') expect(await sync('summed')).not.toContain('refused');
      const { run: found } = await api.ok(
        'query ($id: ID!) { run(id: $id) { texts { texts } metrics { name lastValue } } }',
        { id },
      );
      expect(found.texts).toEqual([{ texts: ['strong'] }]);
      expect(found.metrics).toContainEqual({ name: 'best', lastValue: 0.9 });
    },
  );

  it('goes on with a run that succeeded, knows its parameters, and records those that it adds', async () => {
    const id = await run(`
import warren
r = warren.init(project="mine", id="evaluated", config={"lr": 1, "net": {"width": 8}})
r.log({"loss": 1}); r.finish()
r = warren.init(project="mine", id="evaluated", resume="allow", config={"lr": 2, "split": "test"})
assert r.config == {"lr": 2, "net": {"width": 8}, "split": "test"}, r.config
r.log({"test/loss": 2}); r.finish()
api = warren.Api()
assert api.run("me/mine/evaluated").id == api.run("me/mine/runs/evaluated").id == api.run("mine/" + r.id).id == r.id
try: api.run("mine/nope")
except ValueError as error: assert "there is no run nope in project mine" in str(error), error
print(r.id, end="")
`);
    expect(await runOf(id)).toMatchObject({
      state: 'SUCCEEDED',
      configuration: { parameters: { lr: 2, net: { width: 8 }, split: 'test' } },
    });
    expect(await history(id, 'test/loss')).toEqual({ steps: [1], values: [2] });
  });

  it('knows the seed of the run', async () => {
    const id = await run(`
import warren
warren.init(project="mine", id="seeded", config={"lr": 1, "seed": 7}).finish()
r = warren.init(project="mine", id="seeded", resume="must")
assert (r.seed, r.config) == (7, {"lr": 1}), (r.seed, r.config)
r.finish()
r = warren.init(project="mine", id="seeded", resume="must", seed=8)
assert r.seed == 7, r.seed
r.finish(); print(r.id, end="")`);
    expect(await runOf(id)).toMatchObject({ seed: 7 });
  });

  it('is made whatever its name and tags are', async () => {
    const printed = await run(`
import warren
with warren.init(project="mine", name=" " + "n" * 300, tags=["", " a ", "a", "t" * 150] + list(range(60))) as r:
    print(r.id)
with warren.init(project="mine", name="  "): pass
`);
    const { name, tags } = await runOf(printed.trim());
    expect(name).toBe('n'.repeat(200));
    expect(tags).toHaveLength(50);
    expect(tags.slice(0, 3)).toEqual(['a', 't'.repeat(100), '0']);
  });
});
