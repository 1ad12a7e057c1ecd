import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, gunzipSync } from 'node:zlib';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { csvRuns } from '#src/imports/csv.ts';
import { jsonLineRuns } from '#src/imports/jsonLines.ts';
import { mlflowRuns } from '#src/imports/mlflow.ts';
import { neptuneRuns } from '#src/imports/neptune.ts';
import { recboleRuns } from '#src/imports/recbole.ts';
import type { RunFacts, SourceItem, SourceRuns } from '#src/imports/source.ts';
import { tensorboardRuns } from '#src/imports/tensorboard.ts';
import { trackioRuns } from '#src/imports/trackio.ts';
import { wandbRuns } from '#src/imports/wandb.ts';

/** Files of the real libraries: test/oracles/imports/make.py wrote them. */
export const SAMPLES = join(projectRoot(), 'test', 'oracles', 'imports');

export const project = 'mine';
const map = { parameter: [], ignore: [] };

/** How each kind of file is read. */
export const READERS: Readonly<Record<string, (path: string) => SourceRuns>> = {
  tensorboard: (path) => tensorboardRuns(path, { project }),
  wandb: (path) => wandbRuns(path, { project, map }),
  mlflow: (path) => mlflowRuns(path, { project }),
  trackio: (path) => trackioRuns(path, { project }),
  neptune: (path) => neptuneRuns(path, { project }),
  recbole: (path) => recboleRuns(path, { project }),
  csv: (path) => csvRuns(path, { project, map }),
  jsonl: (path) => jsonLineRuns(path, { project, map }),
};

/** A packed sample as a file. */
export function unpacked(sample: string, folder: string): string {
  const path = join(folder, sample.replace(/.*\//, '').replace(/\.gz$/, ''));
  writeFileSync(path, gunzipSync(readFileSync(join(SAMPLES, sample))));
  return path;
}

/** A file of an offline run of W&B's: its records in blocks, as LevelDB's doc/log_format.md says. */
export function wandbFile(records: readonly Buffer[]): Buffer {
  let bytes = Buffer.concat([Buffer.from(':W&B'), Buffer.alloc(3)]);
  for (const record of records) {
    for (let at = 0; at < record.length; ) {
      const left = 32_768 - (bytes.length % 32_768);
      if (left < 7) bytes = Buffer.concat([bytes, Buffer.alloc(left)]);
      const part = record.subarray(at, at + (left < 7 ? 32_768 : left) - 7);
      const isLast = at + part.length === record.length;
      const typed = Buffer.concat([Buffer.from([at === 0 ? (isLast ? 1 : 2) : isLast ? 4 : 3]), part]);
      const header = Buffer.alloc(6);
      header.writeUInt32LE(crc32(typed));
      header.writeUInt16LE(part.length, 4);
      bytes = Buffer.concat([bytes, header, typed]);
      at += part.length;
    }
  }
  return bytes;
}

export interface ReadRun {
  id: string;
  label: string;
  facts: RunFacts;
  points: Record<string, [number, number, number][]>;
  items: SourceItem[];
  warnings: string[];
}

/** All that a source holds, points as step, value and time. */
export async function readAll(runs: SourceRuns): Promise<ReadRun[]> {
  const all: ReadRun[] = [];
  for await (const { id, label, facts, read } of bound(runs)) {
    const run: ReadRun = { id, label, facts: { ...facts }, points: {}, items: [], warnings: [] };
    all.push(run);
    for await (const item of read()) {
      if (item.type === 'warning') run.warnings.push(item.text);
      else if (item.type === 'facts') {
        const parameters = { ...run.facts.parameters, ...item.facts.parameters };
        run.facts = { ...run.facts, ...item.facts, parameters };
      } else if (item.type !== 'points') run.items.push(item);
      else {
        const points = run.points[item.name] ?? [];
        run.points[item.name] = points;
        for (const [i, step] of item.steps.entries()) points.push([step, item.values[i]!, item.times[i]!]);
      }
    }
  }
  return all;
}

async function* bound(runs: SourceRuns): SourceRuns {
  for await (const run of runs) yield { id: run.id, label: run.label, facts: run.facts, read: () => run.read() };
}
