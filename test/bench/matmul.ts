import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { tf } from '#workers/tensor/tf.ts';
import { openWasmBackend } from '#workers/tensor/wasm/openWasmBackend.ts';
import type { BenchResult } from './benchResult.ts';
import { measure, type Timing } from './measure.ts';

const THREADS = 2;
/** As (rows, columns, depth): a square one, then what networks of width 64 meet, forward and backward. */
const SIZES: readonly (readonly [number, number, number])[] = [
  [512, 512, 512],
  [4000, 64, 64],
  [4000, 256, 64],
  [64, 64, 4000],
  [1500, 12_101, 64],
  [1500, 64, 12_101],
  [12_101, 64, 1500],
  [50, 50, 32],
];
/** Floating-point operations of one timed run, about. */
const OPERATIONS = 2e9;
const MOST_CALLS = 2000;

interface Product {
  key: string;
  rows: number;
  columns: number;
  depth: number;
  transposeA: boolean;
  transposeB: boolean;
  calls: number;
}

function products(): Product[] {
  return SIZES.flatMap(([rows, columns, depth]) =>
    [0, 1, 2, 3].map((which) => {
      const [transposeA, transposeB] = [which >= 2, which % 2 === 1];
      const calls = Math.min(MOST_CALLS, Math.max(1, Math.round(OPERATIONS / (2 * rows * columns * depth))));
      const key = `${rows}x${depth}x${columns} ${transposeA ? 'T' : 'N'}${transposeB ? 'T' : 'N'}`;
      return { key, rows, columns, depth, transposeA, transposeB, calls };
    }),
  );
}

const reply = z.object({ seconds: z.array(z.array(z.number()).min(1)), numpy: z.string(), library: z.string() });

/** Float32 matrix products in every transpose combination on the `wasm` backend, beside numpy's, two threads each. */
export async function matmulBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'matmul', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const cases = products();
  const { close } = await openWasmBackend(THREADS);
  try {
    for (const product of cases) {
      const { median, spread } = await timeOurs(product);
      result.ours[product.key] = median;
      result.spread[product.key] = spread;
    }
  } finally {
    await close();
  }
  const theirs = inNumpy(cases);
  if (typeof theirs === 'string') result.notes.push(`no numpy peer: ${theirs}`);
  else result.notes.push(`numpy ${theirs.numpy} on ${theirs.library}, OPENBLAS_NUM_THREADS=${THREADS}`);
  for (const [index, product] of cases.entries()) {
    const { key } = product;
    const rate = (seconds: number) => gigaflops(product, seconds).toFixed(1);
    let note = `${key}: ${rate(result.ours[key]!)} GFLOP/s`;
    if (typeof theirs !== 'string') {
      const sorted = theirs.seconds[index]!.toSorted((a, b) => a - b);
      const median = sorted[sorted.length >> 1]!;
      result.peers[`${key}/numpy`] = median;
      result.ratios[`${key}/numpy`] = result.ours[key]! / median;
      result.spread[`${key}/numpy`] = [sorted[0]!, sorted.at(-1)!];
      note += `, numpy ${rate(median)}`;
    }
    result.notes.push(note);
  }
  return result;
}

function gigaflops({ rows, columns, depth }: Product, seconds: number): number {
  return (2 * rows * columns * depth) / seconds / 1e9;
}

/** Seconds of one product, everything that tfjs does around it included. */
async function timeOurs({ rows, columns, depth, transposeA, transposeB, calls, key }: Product): Promise<Timing> {
  const generator = randomGenerator(1, key);
  const operand = (height: number, width: number, isTransposed: boolean) => {
    const values = Float32Array.from({ length: height * width }, () => generator.nextFloat());
    return tf.tensor2d(values, isTransposed ? [width, height] : [height, width]);
  };
  const a = operand(rows, depth, transposeA);
  const b = operand(depth, columns, transposeB);
  const { median, spread } = await measure(() => {
    for (let call = 0; call < calls; call++) tf.matMul(a, b, transposeA, transposeB).dispose();
  });
  tf.dispose([a, b]);
  return { median: median / calls, spread: [spread[0] / calls, spread[1] / calls] };
}

function inNumpy(cases: readonly Product[]): z.infer<typeof reply> | string {
  const { status, error, stdout, stderr } = spawnSync(
    '/usr/bin/python3',
    [join(projectRoot(), 'test', 'bench', 'matmul.py')],
    {
      encoding: 'utf8',
      input: JSON.stringify(cases),
      env: { ...process.env, OPENBLAS_NUM_THREADS: String(THREADS), OMP_NUM_THREADS: String(THREADS) },
    },
  );
  if (error !== undefined) return error.message;
  if (status !== 0) return stderr.trim().split('\n').at(-1) ?? `exit code ${status}`;
  return reply.parse(JSON.parse(stdout));
}
