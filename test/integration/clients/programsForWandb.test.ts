import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const RUN = `query ($id: ID!) { run(id: $id) { state name notes tags mediaSeries { name kind }
  configuration { parameters } metrics { name lastValue } artifacts { name url } } }`;

describe.skipIf(python === null)('programs for W&B, with another import', () => {
  it('ask a run what it is, rename it, and leave files in its folder', async () => {
    const printed = await python!.run(`
import os
import fractions
import warren as wandb
class Kind:  # as numpy's types of numbers, which many a config holds
    size = property(lambda self: 1)
    def tolist(self): return []
config = {"dtype": Kind, "act": len, "clean": str.lower, "loss": lambda x: x, "object": object()}
run = wandb.init(project="swap", id=wandb.util.generate_id(), entity="team", tags=["a"], notes="n", group="g", config=config, save_code=False)
run.log({"half": fractions.Fraction(1, 2)})
wandb.run.name = "lr 0.1, Größe 3"
wandb.run.save()
run.tags = run.tags + ("late",)
run.notes = "better"
assert run.get_url() == run.url and run.project_url.endswith("/runs?project=swap"), run.project_url
assert (run.project, run.group, run.resumed, run.disabled, run.offline) == ("swap", "g", False, False, False)
os.makedirs(os.path.join(wandb.run.dir, "deep"))
open(os.path.join(wandb.run.dir, "deep", "model.h5"), "w").write("weights")
print(wandb.run.dir)
print(run.id)
wandb.finish()
off = wandb.init(mode="disabled", name="off")
off.name = "other"
off.log({"x": 1})
off.finish()
`);
    const [folder, id] = printed.trim().split('\n');
    const { run } = await api.ok(RUN, { id });
    expect(run).toMatchObject({
      name: 'lr 0.1, Größe 3',
      notes: 'better',
      tags: ['a', 'g', 'late'],
      state: 'SUCCEEDED',
      configuration: {
        parameters: {
          dtype: '__main__.Kind',
          act: 'len',
          clean: 'str.lower',
          loss: '__main__.<lambda>',
          object: '<object object>',
        },
      },
      metrics: [{ name: 'half', lastValue: 0.5 }],
    });
    const [model] = run.artifacts;
    expect(model.name).toBe('deep/model.h5');
    expect(await (await api.fetch(model.url)).text()).toBe('weights');
    expect(() => readFileSync(join(folder!, 'deep', 'model.h5')), 'it is with the run').toThrow('ENOENT');
  });

  it('change the name of an offline run, too', async () => {
    const printed = await python!.run(
      `import warren as wandb
run = wandb.init(project="swap", mode="offline", save_code=False)
run.name = "renamed"
print(run.id)
wandb.finish()
from warren.__main__ import main
main(["sync"])
`,
    );
    const id = printed
      .trim()
      .split('\n')
      .find((line) => /^[0-9a-f-]{36}$/.test(line));
    expect((await api.ok(RUN, { id })).run).toMatchObject({ name: 'renamed', state: 'SUCCEEDED' });
  });

  it('write files into an artifact, read its version back, and look at tables', async () => {
    const printed = await python!.run(`
import os
import warren as wandb
table = wandb.Table(columns=["a", "b"], data=[[1, "x"], [2, "y"]])
assert table.get_column("b") == ["x", "y"] and list(table.iterrows())[1] == (1, [2, "y"])
with wandb.init(project="swap", save_code=False) as run:
    artifact = wandb.Artifact("numbers", type="raw_data", metadata={"rows": 2})
    with artifact.new_file("deep/a.txt") as file:
        file.write("hello")
    artifact.add(table, "rows")
    run.log_artifact(artifact).wait()
    run.log_artifact(wandb.Artifact("empty", type="dataset"))
    wandb.log({"picture": wandb.Image([[0.5]], boxes={"predictions": {"box_data": []}})})
with wandb.init(project="swap", save_code=False) as run:
    folder = run.use_artifact("numbers:latest", type="dataset").download()
    print(open(os.path.join(folder, "deep", "a.txt")).read(), sorted(os.listdir(folder)))
    copied = run.use_artifact("numbers:v0").download("copy")
    print(sorted(os.listdir(copied)))
    wandb.log({"shape": wandb.Object3D([[0, 0, 0]]), "loss": 1})
`);
    const { registryEntries } = await api.ok(
      '{ registryEntries(first: 9) { edges { node { name type newest { tags } } } } }',
    );
    expect(registryEntries.edges).toEqual([
      { node: { name: 'numbers', type: 'dataset', newest: { tags: { rows: '2' } } } },
    ]);
    expect(printed).toBe("hello ['deep', 'rows.table.json']\n['deep', 'rows.table.json']\n");
  });

  it('watch gradients and parameters of a model, as often as they say', async () => {
    const printed = await python!.run(`
import warren as wandb
class Hook:
    def remove(self): hooks.clear()
hooks = []
class Parameter(list):
    requires_grad = True
    def register_hook(self, take): hooks.append(lambda: take([0.5, -0.5])); return Hook()
class Model:
    def named_parameters(self): return [("weight", Parameter([1.0, 2.0]))]
    def register_forward_hook(self, take): hooks.append(lambda: take(self, None, None)); return Hook()
run = wandb.init(project="swap", save_code=False)
wandb.watch(Model(), log="all", log_freq=2)
for step in range(4):
    for hook in list(hooks): hook()
    wandb.log({"loss": step})
wandb.unwatch()
print(len(hooks))
print(run.id)
wandb.finish()
`);
    const [left, id] = printed.trim().split('\n');
    const { run } = await api.ok('query ($id: ID!) { run(id: $id) { mediaSeries { name kind steps } } }', { id });
    expect(left).toBe('0');
    expect(run.mediaSeries).toEqual([
      { name: 'gradients/weight', kind: 'histogram', steps: [1, 3] },
      { name: 'parameters/weight', kind: 'histogram', steps: [1, 3] },
    ]);
  });
});
