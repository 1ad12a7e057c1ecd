import { setFlagsFromString } from 'node:v8';
import type { BenchResult } from './benchResult.ts';
import { timeFusedProducts } from './fusedProducts.ts';
import { timingOf } from './pythonPeer.ts';

const DEPTH = 256;
const TURNS = 20_000;
const ROUNDS = 12;
const WARM_UPS = 2;
/** Where the operands begin; all of them fit the first-level cache. */
const [LEFT, RIGHT, OUT] = [1024, 16_384, 40_960];

/** A number that a vector of 128 bits holds several of. */
interface Lanes {
  name: string;
  vector: string;
  splat: string;
  bytes: 4 | 8;
}
const FLOAT32: Lanes = { name: 'float32', vector: 'f32x4', splat: 'v128.load32_splat', bytes: 4 };
const FLOAT64: Lanes = { name: 'float64', vector: 'f64x2', splat: 'v128.load64_splat', bytes: 8 };

/** Adds of a chain in which each waits for the one before: their number a second is the clock. */
const CHAIN_OPERATIONS = 8e7;
const CHAIN = `export function chain(turns: i32, seed: i32): i32 {
  let v = seed;
  for (let t = 0; t < turns; t++) { ${'v = (v ^ seed) + t; '.repeat(4)} }
  return v;
}`;

/** Four rows times two vectors of columns, `DEPTH` deep, as `workers/wasm/assembly/matrixTile.ts` has it, \`turns\` times. */
function tileSource(name: string, { vector, splat, bytes }: Lanes, isFused: boolean): string {
  const sums = [0, 1, 2, 3].flatMap((row) => [`s${row}0`, `s${row}1`]);
  const rows = [0, 1, 2, 3].map((row) => {
    const added = [0, 1].map((half) => {
      const sum = `s${row}${half}`;
      return isFused
        ? `${sum} = ${vector}.relaxed_madd(x${row}, y${half}, ${sum});`
        : `${sum} = ${vector}.add(${sum}, ${vector}.mul(x${row}, y${half}));`;
    });
    return `const x${row} = ${splat}(x, ${row * bytes}); ${added.join(' ')}`;
  });
  return `export function ${name}(a: usize, b: usize, depth: i32, turns: i32, to: usize): void {
    for (let t = 0; t < turns; t++) {
      let x = a;
      let y = b;
      ${sums.map((sum) => `let ${sum} = ${vector}.splat(0);`).join(' ')}
      for (let left = depth; left > 0; left--) {
        const y0 = v128.load(y);
        const y1 = v128.load(y, 16);
        ${rows.join('\n        ')}
        x += ${4 * bytes};
        y += 32;
      }
      ${sums.map((sum, at) => `v128.store(to, ${sum}, ${16 * at});`).join(' ')}
    }
  }`;
}

type Tile = (a: number, b: number, depth: number, turns: number, to: number) => void;

/**
 * The innermost part of matrix products on one thread: a product and a sum, as WebAssembly has them, beside relaxed SIMD's fused
 * multiply-add, for floats and doubles, in turn; then whole products. Seconds are processor time of 10⁹ operations. Says what the clock allows.
 */
export async function fusedTileBench(): Promise<BenchResult> {
  const result: BenchResult = { name: 'fused-tile', ours: {}, peers: {}, ratios: {}, spread: {}, notes: [] };
  const kinds = [FLOAT32, FLOAT64];
  const binary = await compiled(
    [CHAIN, ...kinds.flatMap((of) => [tileSource(of.name, of, false), tileSource(`${of.name}Fused`, of, true)])].join(
      '\n',
    ),
  );
  let module = await moduleOf(binary);
  result.notes.push(
    `Node ${process.versions.node} ${module === null ? 'has no' : 'offers'} relaxed SIMD without a flag`,
  );
  if (module === null) {
    setFlagsFromString('--experimental-wasm-relaxed-simd');
    module = await moduleOf(binary);
  }
  if (module === null) {
    result.notes.push('nor with it: nothing was measured');
    return result;
  }
  const instance = await WebAssembly.instantiate(module, {});
  const { memory, chain } = instance.exports as {
    memory: WebAssembly.Memory;
    chain: (turns: number, seed: number) => number;
  };
  const tiles = instance.exports as unknown as Record<string, Tile>;
  new Float64Array(memory.buffer).fill(1);
  const times = new Map<string, number[]>();
  const time = (name: string, work: () => void, operations: number): void => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    times.set(name, [...(times.get(name) ?? []), ((user + system) * 1e3) / operations]);
  };
  for (let round = 0; round < ROUNDS + WARM_UPS; round++) {
    if (round === WARM_UPS) times.clear();
    for (const { name, bytes } of kinds) {
      const operations = (TURNS * DEPTH * 256) / bytes;
      for (const tile of [name, `${name}Fused`])
        time(tile, () => tiles[tile]!(LEFT, RIGHT, DEPTH, TURNS, OUT), operations);
    }
    time('chain', () => chain(CHAIN_OPERATIONS / 8, round), CHAIN_OPERATIONS);
  }
  const clock = 1 / timingOf(times.get('chain')!).median;
  result.notes.push(`clock: ${clock.toFixed(2)} · 10⁹ a second, by a chain of additions`);
  for (const { name, bytes } of kinds) {
    const [ours, fused] = [timingOf(times.get(name)!), timingOf(times.get(`${name}Fused`)!)];
    const key = `${name}/relaxed_madd`;
    result.ours[name] = ours.median;
    result.spread[name] = ours.spread;
    result.peers[key] = fused.median;
    result.spread[key] = fused.spread;
    result.ratios[key] = ours.median / fused.median;
    const most = (clock * 4 * 16) / bytes;
    const reached = ({ median }: { median: number }) =>
      `${(1 / median).toFixed(1)} (${(100 / median / most).toFixed(0)} %)`;
    result.notes.push(
      `${name}, GFLOP/s a thread: ${reached(ours)}, fused ${reached(fused)}, of ${most.toFixed(0)} where a cycle does two vector products and two sums, or two fused`,
    );
  }
  await timeFusedProducts(result);
  return result;
}

/** Null where the engine refuses it. */
async function moduleOf(binary: Uint8Array): Promise<WebAssembly.Module | null> {
  try {
    return await WebAssembly.compile(binary);
  } catch {
    return null;
  }
}

async function compiled(source: string): Promise<Uint8Array<ArrayBuffer>> {
  // Loaded for this benchmark alone: the compiler is large, and would take processor time from the others.
  const { compileString } = await import('assemblyscript/asc');
  const { error, binary, stderr } = await compileString(source, {
    ...{ runtime: 'stub', optimizeLevel: 3, noAssert: true, initialMemory: 1 },
    enable: ['simd', 'relaxed-simd'],
  });
  if (error !== null || binary === null)
    throw new Error(`internal: AssemblyScript: ${stderr.toString()}`, { cause: error });
  return Uint8Array.from(binary);
}
