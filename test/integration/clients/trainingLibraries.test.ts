import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { apiForTests } from '../support/apiForTests.ts';
import { runShell } from '../support/runShell.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const PYTHON = process.env.WARREN_TRAINING_PYTHON ?? 'python3';

interface Training {
  library: string;
  script: string;
  /** Points of each metric, as the script's epochs and batches make them. */
  points: Record<string, number>;
  parameters: Record<string, unknown>;
}

const trainings: Training[] = [
  {
    library: 'lightning',
    script: `
import torch, lightning
from warren.integration.lightning import WarrenLogger
class Model(lightning.LightningModule):
    def __init__(self, lr=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.layer = torch.nn.Linear(4, 1)
    def training_step(self, batch, index):
        loss = ((self.layer(batch[0]) - batch[1]) ** 2).mean()
        self.log("train/loss", loss)
        return loss
    def test_step(self, batch, index): self.log("test/loss", ((self.layer(batch[0]) - batch[1]) ** 2).mean())
    def configure_optimizers(self): return torch.optim.SGD(self.parameters(), lr=self.hparams.lr)
data = torch.utils.data.TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
logger = WarrenLogger(project="lightning")
trainer = lightning.Trainer(max_epochs=2, logger=logger, log_every_n_steps=2, accelerator="cpu", enable_progress_bar=False)
model = Model()
logger.watch(model, log_freq=4)
logger.log_image("samples", [torch.rand(3, 4, 4)], caption=["first"])
trainer.fit(model, torch.utils.data.DataLoader(data, batch_size=8))
trainer.test(model, torch.utils.data.DataLoader(data, batch_size=8), verbose=False)
`,
    points: { 'train/loss': 8, 'test/loss': 1 },
    parameters: { lr: 0.1 },
  },
  {
    library: 'transformers',
    script: `
import torch
from transformers import Trainer, TrainingArguments
from warren.integration.transformers import WarrenCallback
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
    def forward(self, x, labels=None):
        y = self.layer(x)
        return {"loss": ((y - labels) ** 2).mean(), "logits": y}
data = [{"x": torch.randn(4), "labels": torch.randn(1)} for _ in range(32)]
trainer = Trainer(Model(), TrainingArguments("out", num_train_epochs=2, logging_steps=2, report_to=[], eval_strategy="epoch", save_strategy="no",
    use_cpu=True, disable_tqdm=True), train_dataset=data, eval_dataset=data, callbacks=[WarrenCallback(project="transformers")])
trainer.train()
trainer.evaluate(metric_key_prefix="test")
`,
    points: { 'train/loss': 4, 'eval/loss': 2, 'test/loss': 1 },
    parameters: { num_train_epochs: 2 },
  },
  {
    library: 'keras',
    script: `
import keras, numpy
from warren.integration.keras import WarrenCallback
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(numpy.random.rand(32, 4), numpy.random.rand(32, 1), validation_split=0.25, epochs=2, verbose=0,
    callbacks=[WarrenCallback(project="keras")])
`,
    points: { 'train/loss': 2, 'valid/loss': 2 },
    parameters: { 'fit/epochs': 2 },
  },
  {
    library: 'recbole.quick_start',
    script: `
import os, random
os.makedirs("data/tiny")
with open("data/tiny/tiny.inter", "w") as file:
    file.write("user_id:token\\titem_id:token\\n")
    for user in range(40):
        for item in random.Random(user).sample(range(30), 12): file.write("%d\\t%d\\n" % (user, item))
from recbole.quick_start import run_recbole
from warren.integration.recbole import WarrenLogger
with WarrenLogger(project="recbole.quick_start"):
    run_recbole(model="BPR", dataset="tiny", saved=False, config_dict=dict(epochs=2, embedding_size=8, topk=[10], metrics=["NDCG"],
        valid_metric="NDCG@10", data_path="data", load_col={"inter": ["user_id", "item_id"]}, show_progress=False, use_gpu=False))
`,
    points: { 'train/loss': 2, 'valid/ndcg@10': 2, 'test/ndcg@10': 1 },
    parameters: { epochs: 2, embedding_size: 8, model: 'BPR' },
  },
];

/** Whether a library can be imported; the reason is printed where it cannot. */
function isInstalled({ library }: Training): boolean {
  const { status } = spawnSync(PYTHON, ['-c', `import ${library}`], {
    env: { ...process.env, KERAS_BACKEND: 'torch' },
  });
  if (status !== 0)
    console.warn(
      `skipped: ${PYTHON} cannot import ${library} (WARREN_TRAINING_PYTHON names another): its logger is not tried`,
    );
  return status === 0;
}

const installed = trainings.filter(isInstalled);
const api = installed.length === 0 ? null : await apiForTests();

describe('loggers of training libraries', () => {
  const [absent, present] = [false, true].map((wanted) =>
    trainings.filter((training) => installed.includes(training) === wanted),
  );
  it.skip.each(absent!)('log a training with $library', () => {});
  it.each(present!)('log a training with $library', async ({ library, script, points, parameters }) => {
    const variables = {
      PYTHONPATH: join(projectRoot(), 'clients', 'python'),
      KERAS_BACKEND: 'torch',
      WARREN_API_URL: api!.url,
      SCRIPT: script,
    };
    await runShell(`exec ${PYTHON} -W ignore -c "$SCRIPT"`, variables, temporaryFolder());
    const query = `query ($project: String!) { runs(project: $project, first: 5) { edges { node {
      state configuration { parameters } metrics { name pointCount } } } } }`;
    const { runs } = await api!.ok(query, { project: library });
    expect(runs.edges).toMatchObject([{ node: { state: 'SUCCEEDED', configuration: { parameters } } }]);
    const metrics = Object.entries(points).map(([name, pointCount]) => ({ name, pointCount }));
    expect(runs.edges[0].node.metrics).toEqual(expect.arrayContaining(metrics));
  });
});
