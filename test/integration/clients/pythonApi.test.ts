import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

/** What a script prints as JSON. */
async function answerOf(script: string): Promise<unknown> {
  return JSON.parse(await python!.run(`import json, warren\napi = warren.Api()\n${script}`));
}

describe.skipIf(python === null)('warren.Api', () => {
  beforeAll(async () => {
    await python!.run(`
import warren
for number, (lr, seed) in enumerate([(0.1, 1), (0.1, 2), (0.01, 1), (0.01, 2)]):
    with warren.init(project="read", name="run %d" % number, config={"lr": lr, "net": {"width": 8}}, seed=seed, tags=["t%d" % seed]) as run:
        for step in range(1200):
            warren.log({"loss": lr * seed + step, "half": step / 2} if step % 2 == 0 else {"loss": lr * seed + step}, step=step)
        warren.define_metric("loss", goal="minimize")
        warren.log({"last": float("nan"), "loss": lr * seed}, step=1200)
        print("line of run %d" % number)
        open("weights.bin", "wb").write(bytes([number] * 10))
        warren.log_artifact("weights.bin", name="out/weights.bin")
`);
  });

  it('finds the runs of a filter in an order, page by page', async () => {
    const found = await answerOf(`
runs = api.runs("read", filters="config.lr = 0.1", order='-metric."loss"', per_page=1)
print(json.dumps([len(runs), [run.name for run in runs], runs[-1].name, runs[0].config, runs[1].state, runs[0].tags,
    len(api.runs("read", filters="seed > 5")), api.projects()]))`);
    expect(found).toEqual([
      ...[2, ['run 1', 'run 0'], 'run 0', { lr: 0.1, net: { width: 8 } }, 'succeeded', ['t2'], 0, ['read']],
    ]);
  });

  it('takes the paths, conditions and orders of programs for W&B', async () => {
    const found = await answerOf(`
def names(filters, order="+created_at"):
    return [run.name for run in api.runs("entity/read", filters=filters, order=order)]
print(json.dumps([
    names({"config.lr": 0.1, "state": "finished"}),
    names({"config.net.width.value": 8, "summary_metrics.loss": {"$gt": 0.015, "$lte": 0.1}}),
    names({"$or": [{"display_name": "run 3"}, {"tags": {"$in": ["t1"]}}]}, "-display_name"),
    names({"$and": [{"display_name": {"$regex": "^run [12]$".replace("[12]", ".*")}}, {"tags": {"$nin": ["t1"]}}]}),
    names({"$not": {"config.lr": {"$exists": True}}}),
    api.run("entity/read/%s" % api.runs("read")[0].id).name,
]))`);
    expect(found).toEqual([
      ...[['run 0', 'run 1'], ['run 0', 'run 3'], ['run 3', 'run 2', 'run 0'], ['run 1', 'run 3'], [], 'run 3'],
    ]);
    const refused = await answerOf(`
said = []
for ask in (lambda: api.runs("read", filters={"display_name": {"$regex": "a|b"}}), lambda: api.runs("read", filters={"x": {"$near": 1}}),
            lambda: api.run(999), lambda: len(api.runs("read", filters="nonsense = 1"))):
    try:
        ask()
    except (ValueError, warren.Refused) as error:
        said.append(str(error))
print(json.dumps(said))`);
    expect(refused).toEqual([
      expect.stringContaining('only texts, ^, $ and .* are known'),
      expect.stringContaining("$near of 'x' is not known"),
      expect.stringContaining('there is no run 999'),
      expect.stringContaining('there is no field "nonsense"'),
    ]);
  });

  it('reads curves thinned, every point, the log and the files of a run', async () => {
    const found = await answerOf(`
run = api.runs("read", filters='name = "run 0"')[0]
rows = run.history(samples=100, keys=["loss"], pandas=False)
every = list(run.scan_history(keys=["loss", "half"]))
whole = list(run.scan_history())
run.file("out/weights.bin").download("got")
print(json.dumps([len(rows) <= 100, rows[-1]["_step"], rows[-1]["loss"], len(every), every[3]["_step"], every[3]["half"], len(whole),
    str(whole[-1]["last"]), run.summary["half"], str(run.summary["last"]), list(run.logs()), [file.name for file in run.files() if not file.name.startswith("code/")],
    run.environment["python"][0], run.error, run.url.rsplit("/", 1)[1] == str(run.number)]))`);
    expect(found).toEqual([
      ...[true, 1200, 0.1, 600, 6, 3, 1201, 'nan', 599, 'nan', ['line of run 0'], ['out/weights.bin'], '3', null, true],
    ]);
    expect([...readFileSync(join(python!.folder, 'got', 'out', 'weights.bin'))]).toEqual(new Array(10).fill(0));
  });

  it('gives tables of runs, of curves and of groups as rows', async () => {
    const found = await answerOf(`
runs = api.runs("read", order="+number")
table = runs.to_frame(metrics=["loss"], pandas=False)
curves = runs.histories(samples=10, keys=["half"], pandas=False)
groups = api.groups(["lr", "config.net.width"], "loss", path="read", pandas=False)
best = api.groups("lr", ["last"], path="read", best_of="loss", pandas=False)
print(json.dumps([len(table), table[1]["config.net.width"], table[1]["loss"], "half" in table[1], len(curves) <= 40, sorted({row["run"] for row in curves}) == [row["number"] for row in table],
    {(group["lr"]): [group["runs"], group["loss n"], group["loss mean"], group["config.net.width"]] for group in groups}, len(best)]))`);
    expect(found).toEqual([
      ...[4, 8, 0.2, false, true, true],
      { 0.1: [2, 2, expect.closeTo(0.15, 12), 8], 0.01: [2, 2, expect.closeTo(0.015, 12), 8] },
      2,
    ]);
  });

  it('changes name, tags and notes, and moves a run to the trash', async () => {
    const found = await answerOf(`
run = api.runs("read", filters='name = "run 2"')[0]
run.tags.append("kept")
run.notes = "looked at"
run.name = "the third"
run.update()
again = api.run(run.number)
api.runs("read", filters='name = "run 3"')[0].delete()
print(json.dumps([again.name, again.tags, again.notes, run.load().name, len(api.runs("read"))]))`);
    expect(found).toEqual(['the third', ['t1', 'kept'], 'looked at', 'the third', 3]);
  });
});
