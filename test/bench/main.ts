import { readEnvironment } from '#src/base/platform/environment.ts';
import { setArithmetic } from '#workers/wasm/calls/kernelModule.ts';
import type { BenchResult } from './benchResult.ts';
import { backendsBench } from './backends.ts';
import { dashboardBench } from './dashboard/dashboard.ts';
import { dataBench } from './data.ts';
import { fusedTileBench } from './fusedTile.ts';
import { gpuBench } from './gpu/gpu.ts';
import { importsBench } from './imports/imports.ts';
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
import { readFlags } from './readFlags.ts';
import { recordBench } from './record.ts';
import { resultLines } from './resultLines.ts';
import { spmmBench } from './spmm.ts';
import { rntkGramBench } from './rntkGram.ts';
import { sequentialBench } from './sequential.ts';
import { verdictsBench } from './verdicts.ts';
import { sequenceEpochBench } from './sequenceEpoch.ts';
import { serviceBench } from './service/service.ts';
import { sevoOverheadBench } from './sevoOverhead.ts';
import { endOnSignals } from './whileOpen.ts';

type Bench = (flags: readonly string[]) => Promise<BenchResult>;

/** A benchmark that has no options but `--json`. */
const plain =
  (bench: () => Promise<BenchResult>): Bench =>
  async (flags) => {
    readFlags(flags, { json: { type: 'boolean', default: false } });
    return await bench();
  };

const BENCHMARKS: Readonly<Record<string, Bench>> = {
  backends: backendsBench,
  dashboard: dashboardBench,
  data: plain(dataBench),
  eigen: eigenBench,
  leporid: plain(leporidBench),
  'leporid-scale': plain(leporidScaleBench),
  'fused-tile': plain(fusedTileBench),
  gpu: gpuBench,
  imports: importsBench,
  item2vec: plain(item2vecBench),
  matmul: plain(matmulBench),
  mlflow: mlflowBench,
  'mlflow-rest': restTestsBench,
  overrec: plain(overrecBench),
  ranking: plain(rankingBench),
  recbole: recboleBench,
  record: plain(recordBench),
  spmm: plain(spmmBench),
  'rntk-gram': plain(rntkGramBench),
  'sasrec-epoch': plain(() => sequenceEpochBench('sasrec')),
  'gru4rec-epoch': plain(() => sequenceEpochBench('gru4rec')),
  service: serviceBench,
  sequential: plain(sequentialBench),
  verdicts: plain(verdictsBench),
  'sevo-overhead': plain(sevoOverheadBench),
};

const [name = '', ...flags] = process.argv.slice(2);
const bench = BENCHMARKS[name];
if (name === '' || name === '--help') {
  console.log(`Benchmarks, each with --help: ${Object.keys(BENCHMARKS).join(', ')}`);
  process.exit(name === '' ? 2 : 0);
}
if (bench === undefined) {
  console.error(
    `bench: there is no benchmark ${JSON.stringify(name)}; there are: ${Object.keys(BENCHMARKS).join(', ')}`,
  );
  process.exit(2);
}
endOnSignals();
setArithmetic(readEnvironment().arithmetic);
const result = await bench(flags);
if (flags.includes('--json')) console.log(JSON.stringify(result));
else console.log([result.name, ...resultLines(result).map((line) => `  ${line}`)].join('\n'));
