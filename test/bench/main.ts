import type { BenchResult, BenchRow } from './benchResult.ts';
import { backendsBench } from './backends.ts';
import { dataBench } from './data.ts';
import { fusedTileBench } from './fusedTile.ts';
import { gpuBench } from './gpu/gpu.ts';
import { item2vecBench } from './item2vec.ts';
import { matmulBench } from './matmul.ts';
import { eigenBench } from './eigen.ts';
import { leporidBench } from './leporid.ts';
import { leporidScaleBench } from './leporidScale.ts';
import { mlflowBench } from './mlflow/mlflow.ts';
import { restTestsBench } from './mlflow/restTests.ts';
import { overrecBench } from './overrec.ts';
import { rankingBench } from './ranking.ts';
import { recboleBench } from './recbole/recbole.ts';
import { recordBench } from './record.ts';
import { spmmBench } from './spmm.ts';
import { rntkGramBench } from './rntkGram.ts';
import { sequentialBench } from './sequential.ts';
import { sequenceEpochBench } from './sequenceEpoch.ts';
import { serviceBench } from './service/service.ts';
import { sevoOverheadBench } from './sevoOverhead.ts';

const BENCHMARKS: Readonly<Record<string, (flags: readonly string[]) => Promise<BenchResult>>> = {
  backends: backendsBench,
  data: dataBench,
  eigen: eigenBench,
  leporid: leporidBench,
  'leporid-scale': leporidScaleBench,
  'fused-tile': fusedTileBench,
  gpu: gpuBench,
  item2vec: item2vecBench,
  matmul: matmulBench,
  mlflow: mlflowBench,
  'mlflow-rest': restTestsBench,
  overrec: overrecBench,
  ranking: rankingBench,
  recbole: recboleBench,
  record: recordBench,
  spmm: spmmBench,
  'rntk-gram': rntkGramBench,
  'sasrec-epoch': () => sequenceEpochBench('sasrec'),
  'gru4rec-epoch': () => sequenceEpochBench('gru4rec'),
  service: serviceBench,
  sequential: sequentialBench,
  'sevo-overhead': sevoOverheadBench,
};

function print(result: BenchResult): void {
  const row = (key: string, seconds: number) => {
    const [least, greatest] = result.spread[key] ?? [seconds, seconds];
    return `  ${key.padEnd(40)} ${seconds.toFixed(3)} s  (${least.toFixed(3)} to ${greatest.toFixed(3)})`;
  };
  console.log(result.name);
  for (const [key, seconds] of Object.entries(result.ours)) console.log(row(key, seconds));
  for (const [key, seconds] of Object.entries(result.peers)) console.log(row(key, seconds));
  for (const [key, ratio] of Object.entries(result.ratios)) console.log(`  ours / ${key}: ${ratio.toFixed(4)}`);
  for (const row of result.table ?? []) console.log(`  ${tableLine(row)}`);
  for (const note of result.notes) console.log(`  ${note}`);
}

function tableLine({ work, value, unit, aim, processorMs, also }: BenchRow): string {
  const aimed = `${unit.endsWith('/s') ? '≥' : '≤'} ${aim}`;
  const processor = processorMs === null ? '' : `${processorMs.toFixed(1)} ms of processor a call`;
  const digits = value < 10 ? 1 : 0;
  const cells = [work.padEnd(46), `${value.toFixed(digits)} ${unit}`.padStart(16), `(${aimed})`.padEnd(11)];
  return [...cells, [processor, also].filter((text) => text !== '').join('; ')].join(' ');
}

const [name = '', ...flags] = process.argv.slice(2);
const bench = BENCHMARKS[name];
if (bench === undefined) {
  console.error(
    `bench: there is no benchmark ${JSON.stringify(name)}; there are: ${Object.keys(BENCHMARKS).join(', ')}`,
  );
  process.exit(2);
}
const result = await bench(flags);
if (flags.includes('--json')) console.log(JSON.stringify(result));
else print(result);
