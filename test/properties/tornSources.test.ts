import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { READERS, readAll, SAMPLES, unpacked } from '#test/unit/imports/readSources.ts';

const folder = temporaryFolder();
/** WARREN_TORN_COPIES=10000 tries as many of each file. */
const COPIES = Number(process.env.WARREN_TORN_COPIES ?? 16);

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const rows = Array.from({ length: 30 }, (_, step) => [step, 1 / (step + 1), step % 7 === 0 ? 'nan' : 0.5]);
const csv = written('p.csv', `step,loss,"quoted, name"\n${rows.map((row) => row.join(',')).join('\n')}\n`);
const jsonl = written(
  'p.jsonl',
  rows.map(([step, loss]) => `{"step": ${step}, "a": {"loss": ${loss}}, "n": NaN}\n`).join(''),
);
cpSync(join(SAMPLES, 'mlflow', 'mlruns'), join(folder, 'mlruns'), { recursive: true });
const metric = '867598172913527299/3f0e315b226a476cb84e4355a55b835e/metrics/valid/loss';
const meta = '867598172913527299/3f0e315b226a476cb84e4355a55b835e/meta.yaml';

const SOURCES: [string, { reader: string; file: string; source?: string }][] = [
  [
    'events of TensorBoard',
    { reader: 'tensorboard', file: join(SAMPLES, 'tensorboard/one/train/events.out.tfevents.1700000000.host.1.0') },
  ],
  [
    'tensors of TensorBoard',
    { reader: 'tensorboard', file: join(SAMPLES, 'tensorboard/one/valid/events.out.tfevents.1700000000.host.1.0') },
  ],
  ['W&B', { reader: 'wandb', file: join(SAMPLES, 'wandb/run-abcd1234.wandb') }],
  ['MLflow’s metrics', { reader: 'mlflow', file: join(folder, 'mlruns', metric), source: join(folder, 'mlruns') }],
  ['MLflow’s metadata', { reader: 'mlflow', file: join(folder, 'mlruns', meta), source: join(folder, 'mlruns') }],
  ['MLflow’s database', { reader: 'mlflow', file: unpacked('mlflow/mlflow.db.gz', folder) }],
  ['Trackio’s database', { reader: 'trackio', file: unpacked('trackio/mine.db.gz', folder) }],
  ['Neptune’s Parquet', { reader: 'neptune', file: join(SAMPLES, 'neptune/team/RUN-1_part_0.parquet') }],
  ['RecBole’s checkpoint', { reader: 'recbole', file: join(SAMPLES, 'recbole/BPR-Nov-24-2026_04-53-51.pth') }],
  [
    'RecBole’s log',
    { reader: 'recbole', file: unpacked('recbole/BPR-tiny-Nov-24-2026_04-53-51-0cc127.log.gz', folder) },
  ],
  ['CSV', { reader: 'csv', file: csv }],
  ['JSON lines', { reader: 'jsonl', file: jsonl }],
];

it.each(SOURCES)(
  '%s: a torn or damaged copy is read as far as it goes, or refused in words',
  async (_, { reader, file, source }) => {
    const whole = readFileSync(file);
    const random = randomGenerator(1, 'torn copies');
    // a copy of its own, or the file in its place where the source is a folder
    const copy = source === undefined ? join(folder, `torn-${file.replace(/.*\//, '')}`) : file;
    for (let i = 0; i < COPIES; i++) {
      const torn = Buffer.from(
        whole.subarray(0, i % 2 === 0 ? Math.floor(random.nextFloat() * whole.length) : whole.length),
      );
      for (let change = 0; change < (i % 2) * 3 && torn.length > 0; change++) {
        torn[Math.floor(random.nextFloat() * torn.length)] = Math.floor(random.nextFloat() * 256);
      }
      writeFileSync(copy, torn);
      try {
        await readAll(READERS[reader]!(source ?? copy));
      } catch (error) {
        if (!(error instanceof WarrenError))
          throw new Error(`copy ${i} of ${statSync(copy).size} bytes`, { cause: error });
        expect(error.code).toBe('BAD_INPUT');
      }
    }
    writeFileSync(copy, whole);
  },
);
