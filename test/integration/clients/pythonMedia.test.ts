import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiForTests, type GraphqlAnswer } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';
import { waitUntil } from '../support/waitUntil.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

const MEDIA = `query ($id: ID!, $names: [String!], $after: ID) { run(id: $id) {
  id state artifacts { name } metrics { name pointCount }
  mediaSeries { name kind count steps }
  media(names: $names, first: 200, after: $after) { id name step index kind caption metadata mediaType sizeBytes url }
} }`;

async function runOf(printed: string, names: string[] | null = null): Promise<GraphqlAnswer['data']> {
  return (await api.ok(MEDIA, { id: printed.trim().split('\n').at(-1), names })).run;
}

describe.skipIf(python === null)('media from Python', () => {
  const { run, start, folder } = python!;

  it('are kept by name, step and index, with what is known of them', async () => {
    const printed = await run(`
import warren, struct
r = warren.init(project="mine", name="media", console=False)
red = [[(255, 0, 0)] * 4 for row in range(3)]
for step in range(3):
    warren.log({"samples": [warren.Image(red, caption="red"), warren.Image([[0.0, step / 2]])], "loss": 1 / (step + 1),
                "weights": warren.Histogram([1, 2, 2, 3, float("nan")], num_bins=2), "nothing": object()}, step=step)
table = warren.Table(columns=["item", "score"])
table.add_data("a", 0.5)
table.add_data("b", float("inf"))
warren.log({"predictions": table, "page": warren.Html("<b>hello</b>"), "note": warren.Text("plain"),
            "sound": warren.Audio([0.0, 0.5, -0.5], sample_rate=8000)}, step=3)
warren.log({"late": warren.Text("waits")}, commit=False)
warren.log({"bars": warren.Chart({"xAxis": {}, "series": [{"type": "bar", "data": [1, 2]}]}),
            "line": warren.Plotly({"data": [{"y": [1, 2]}], "layout": {}}),
            "points": warren.Chart({"mark": "point", "data": {"values": []}})}, step=4)
print(r.id)
warren.finish()
`);
    const found = await runOf(printed);
    expect(found.state).toBe('SUCCEEDED');
    expect(found.metrics.find(({ name }: { name: string }) => name === 'loss').pointCount).toBe(3);
    expect(found.artifacts.map(({ name }: { name: string }) => name)).not.toContainEqual(
      expect.stringMatching(/media/),
    );
    expect(found.mediaSeries).toEqual([
      { name: 'bars', kind: 'echarts', count: 1, steps: [4] },
      { name: 'late', kind: 'text', count: 1, steps: [4] },
      { name: 'line', kind: 'plotly', count: 1, steps: [4] },
      { name: 'note', kind: 'text', count: 1, steps: [3] },
      { name: 'page', kind: 'html', count: 1, steps: [3] },
      { name: 'points', kind: 'vegaLite', count: 1, steps: [4] },
      { name: 'predictions', kind: 'table', count: 1, steps: [3] },
      { name: 'samples', kind: 'image', count: 6, steps: [0, 1, 2] },
      { name: 'sound', kind: 'audio', count: 1, steps: [3] },
      { name: 'weights', kind: 'histogram', count: 3, steps: [0, 1, 2] },
    ]);
    const [image, gray] = (await runOf(printed, ['samples'])).media;
    expect(image).toMatchObject({ step: 0, index: 0, caption: 'red', metadata: { width: 4, height: 3 } });
    expect(gray).toMatchObject({ step: 0, index: 1, mediaType: 'image/png' });
    const shown = await api.fetch(image.url);
    expect(shown.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await shown.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    const [histogram] = (await runOf(printed, ['weights'])).media;
    expect(histogram).toMatchObject({ url: null, metadata: { edges: [1, 2, 3], counts: [1, 3] } });
    const [table] = (await runOf(printed, ['predictions'])).media;
    expect(await (await api.fetch(table.url)).json()).toEqual({
      ...{
        columns: ['item', 'score'],
        data: [
          ['a', 0.5],
          ['b', 'inf'],
        ],
      },
    });
  });

  it('stand beside metrics whose direction and summary the program has defined', async () => {
    const printed = await run(`
import warren
for losses in ([3, 1, 2], [6, 5, 4]):
    r = warren.init(project="mine", console=False)
    warren.define_metric("valid/*", summary="mean")
    warren.define_metric("valid/strangeness", step_metric="epoch", summary="best", goal="minimize")
    for epoch, value in enumerate(losses): warren.log({"valid/strangeness": value, "valid/other": value, "epoch": epoch * 10})
    print(r.id)
    warren.finish()
`);
    const ids = printed.trim().split('\n');
    const { run: found } = await api.ok(
      'query ($id: ID!) { run(id: $id) { metrics { name direction summary summaryRule stepMetric lastValue } } }',
      { id: ids[0] },
    );
    expect(found.metrics.filter(({ name }: { name: string }) => !name.startsWith('system/'))).toEqual([
      { name: 'epoch', direction: null, summary: 20, summaryRule: null, stepMetric: null, lastValue: 20 },
      { name: 'valid/other', direction: null, summary: 2, summaryRule: 'mean', stepMetric: null, lastValue: 2 },
      ...[
        {
          name: 'valid/strangeness',
          direction: 'lower',
          summary: 1,
          summaryRule: 'best',
          stepMetric: 'epoch',
          lastValue: 2,
        },
      ],
    ]);
    const compare = 'query ($ids: [ID!]!) { compareRuns(ids: $ids) { metrics { name direction best } } }';
    const { metrics } = (await api.ok(compare, { ids })).compareRuns;
    expect(metrics.find(({ name }: { name: string }) => name === 'valid/strangeness')).toEqual({
      ...{ name: 'valid/strangeness', direction: 'lower', best: [1, 4] },
    });
  });

  it('are left by a killed program and sent by the next, once; those of offline runs by sync', async () => {
    const program = start(`
import warren, time
r = warren.init(project="mine", id="killed-media", server="http://127.0.0.1:9", console=False)
for step in range(5): r.log({"page": [warren.Html("same"), warren.Html("step %d" % step)]})
print("logged", flush=True)
time.sleep(600)
`);
    await waitUntil('the program to log', () => program.stdout().includes('logged'), 60_000);
    program.child.kill('SIGKILL');
    await program.ended;
    const printed = await run(`
import warren, uuid, os, sys
from warren.__main__ import main
assert main(["sync", "--server", os.environ["WARREN_API_URL"]]) == 0
assert main(["sync", "--server", os.environ["WARREN_API_URL"]]) == 0
r = warren.init(project="mine", mode="offline", dir="away", console=False)
for step in range(3): r.log({"page": warren.Html("offline %d" % step)})
r.finish()
assert main(["sync", "away/warren-runs"]) == 0
print(warren.init(project="mine", id="killed-media", resume="must").id)
print(r.id)
`);
    const [killed, offline] = printed.trim().split('\n').slice(-2);
    expect((await runOf(killed!)).mediaSeries).toEqual([
      { name: 'page', kind: 'html', count: 10, steps: [0, 1, 2, 3, 4] },
    ]);
    expect((await runOf(offline!)).mediaSeries).toEqual([{ name: 'page', kind: 'html', count: 3, steps: [0, 1, 2] }]);
    const left = readdirSync(join(folder, 'away', 'warren-runs', offline!));
    expect(
      left.filter((name) => !/\.jsonl(\.\w+)?$/.test(name)),
      'contents that are sent are removed',
    ).toEqual([]);
  });

  it('runs programs of W&B and Trackio after a changed import, and says what stands instead of other calls', async () => {
    const { code, stdout, stderr } = await start(`
import os, random
import warren as wandb
wandb.login(key="x")
wandb.config.early = 1
with wandb.init(entity="team", project="swap", config={"learning_rate": 0.02, "epochs": 10}, settings=wandb.Settings(silent=True)) as run:
    wandb.config.update({"batch": 8}, allow_val_change=True)
    wandb.config = {"late": 2}
    run.watch(object())
    wandb.define_metric("acc", summary="none")
    for epoch in range(2, run.config.epochs):
        run.log({"acc": 1 - 2 ** -epoch, "loss": 2 ** -epoch})
    run.log({"rows": wandb.Table(columns=["a", "b"], data=[[1, "x"]])}, commit=False)
    wandb.log({"curve": wandb.plot.visualize("board", None)})
    wandb.summary.best = 0.5
    run.alert(title="low", text="accuracy", level=wandb.AlertLevel.WARN, wait_duration=0)
    os.makedirs("kept", exist_ok=True)
    open("kept/model.pt", "w").write("weights")
    wandb.save("kept/*.pt", policy="now")
    files = wandb.Artifact("model", type="model")
    files.add_dir("kept")
    run.log_artifact(files)
print(run.id)
import warren as trackio
trackio.init(project="swap", name="trackio", space_id="me/space", config={"epochs": 3})
for epoch in range(3):
    trackio.log({"train_loss": 1 / (epoch + 1)})
trackio.finish()
trackio.restore("model.h5")
`).ended;
    expect(stderr).toContain("AttributeError: warren has no 'restore'");
    expect(code).toBe(1);
    for (const advice of ['login: ', 'watch: ', 'plot.visualize: ', 'ignores entity, settings', 'ignores space_id'])
      expect(stderr).toContain(`warren: ${advice}`.replace('warren: ignores', 'warren: init: ignores'));
    const query = `query ($id: ID!) { run(id: $id) { state configuration { parameters } metrics { name pointCount lastValue }
      mediaSeries { name kind } artifacts { name } } }`;
    const { run: found } = await api.ok(query, { id: stdout.trim().split('\n').at(-1) });
    expect(found.state).toBe('SUCCEEDED');
    expect(found.configuration.parameters).toEqual({ early: 1, learning_rate: 0.02, epochs: 10, batch: 8, late: 2 });
    expect(found.metrics).toEqual(
      expect.arrayContaining([
        { name: 'acc', pointCount: 8, lastValue: 1 - 2 ** -9 },
        { name: 'best', pointCount: 1, lastValue: 0.5 },
      ]),
    );
    expect(found.mediaSeries).toEqual([{ name: 'rows', kind: 'table' }]);
    const names = found.artifacts.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['model.pt', 'model/model.pt']));
    const { runs } = await api.ok(
      '{ runs(project: "swap", first: 1) { edges { node { name state metrics { name } } } } }',
    );
    expect(runs.edges[0].node).toEqual({ name: 'trackio', state: 'SUCCEEDED', metrics: [{ name: 'train_loss' }] });
  });

  it('that a quota keeps out are told of, with the reason, and sent once there is room', async () => {
    await run('import warren; warren.init(project="small").finish()');
    await api.ok('mutation { setProjectQuota(project: "small", bytes: 1000) { name } }');
    const { stdout, stderr } = await start(`
import warren
r = warren.init(project="small", save_code=False)
print(r.id)
for number in range(3):
    open("large.bin", "w").write(str(number) * 2000)
    r.log_artifact("large.bin", "%d.bin" % number)
`).ended;
    expect(stderr).toMatch(/answers 413: project "small" holds .* of the 1000 B that it may, and .* raise it/);
    expect(stderr).toMatch(/not stored: 0\.bin, 1\.bin, 2\.bin: .*python -m warren sync/);
    await api.ok('mutation { setProjectQuota(project: "small", bytes: null) { name } }');
    await run('import sys\nfrom warren.__main__ import main\nsys.exit(main(["sync"]))');
    const { artifacts, state } = await runOf(stdout);
    expect([state, artifacts.length]).toEqual(['SUCCEEDED', 3]);
  });
});
