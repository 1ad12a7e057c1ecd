import { ITEM_CHUNK } from '#workers/wasm/fields/softmaxFields.ts';
import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { differentiable } from './differentiable.ts';
import type { FullSoftmax } from './fullSoftmax.ts';
import { heapIntegers, heapTensor } from './heapTensor.ts';
import { packedBytes } from './packedBytes.ts';

/** Positions whose scores a lane has at once, and the most scores that this may be (64 MiB). */
const BLOCK_ROWS = 64;
const BLOCK_SCORES = 2 ** 24;

/** Where a library multiplies: more positions, and the items whose scores of these are made at once. */
const LIBRARY_ROWS = 256;
const SLAB_ITEMS = 512;

interface Gradients {
  readonly hidden: number;
  readonly table: number;
  readonly bias: number;
}

/**
 * The loss and its gradients in one pass over the positions: what the gradients of a unit are is known at once, and the way
 * back only multiplies. Scratch: twice the table (not with a library), and a block of scores and a table a lane.
 */
export function fusedFullSoftmax(backend: WasmBackend, softmax: FullSoftmax): tf.Scalar {
  const { hidden, table, bias } = softmax;
  const [positions, columns] = hidden.shape;
  const [items] = table.shape;
  const { lanes } = backend.kernels;
  const wanted = tf.engine().isTapeOn();
  return differentiable<tf.Scalar>(bias ? [hidden, table, bias] : [hidden, table], (save) => {
    const loss = heapTensor<tf.Scalar>(backend, []);
    if (!wanted) {
      compute(backend, softmax, { loss: loss.address, gradients: null });
      return { value: loss.tensor, gradient: () => [] };
    }
    const forHidden = heapTensor<tf.Tensor2D>(backend, [positions, columns]);
    // One matrix a lane; the first becomes the sum.
    const forTable = heapTensor<tf.Tensor3D>(backend, [lanes, items, columns]);
    const forBias = bias ? heapTensor<tf.Tensor2D>(backend, [lanes, items]) : null;
    const gradients = { hidden: forHidden.address, table: forTable.address, bias: forBias?.address ?? 0 };
    compute(backend, softmax, { loss: loss.address, gradients });
    backend.kernels.run('sumMatrices', forTable.address, lanes, items * columns);
    if (forBias) backend.kernels.run('sumMatrices', forBias.address, lanes, items);
    save([
      forHidden.tensor,
      tf.reshape(tf.slice(forTable.tensor, 0, 1), [items, columns]),
      ...(forBias ? [tf.reshape(tf.slice(forBias.tensor, 0, 1), [items])] : []),
    ]);
    return { value: loss.tensor, gradient: (upstream, saved) => saved.map((unit) => tf.mul(unit, upstream)) };
  });
}

function compute(
  backend: WasmBackend,
  softmax: FullSoftmax,
  { loss, gradients }: { loss: number; gradients: Gradients | null },
): void {
  const { hidden, table, bias, targets, weights, normaliser } = softmax;
  const [positions, columns] = hidden.shape;
  const [items] = table.shape;
  const { kernels } = backend;
  const factors = tf.tensor1d(Float32Array.from(targets, (_, at) => (weights?.[at] ?? 1) / (normaliser ?? positions)));
  const sumBytes = 64 * kernels.lanes;
  const given = {
    ...{ hidden: backend.addressOf(hidden), table: backend.addressOf(table), bias: bias ? backend.addressOf(bias) : 0 },
    ...{ targets: heapIntegers(backend, targets), factors: backend.addressOf(factors), positions, items, columns },
    ...{ hiddenGradient: gradients?.hidden ?? 0, tableParts: gradients?.table ?? 0, biasParts: gradients?.bias ?? 0 },
    wanted: gradients ? 1 : 0,
  };
  const blockOf = (most: number): number => Math.max(4, Math.min(most, Math.floor(BLOCK_SCORES / items)));
  if (kernels.library !== null) {
    const blockRows = blockOf(LIBRARY_ROWS) & ~3;
    const slabItems = Math.min(SLAB_ITEMS, items);
    const slabs = Math.ceil(items / slabItems);
    const slabStep = lineBytes(slabItems);
    const scratchBytes = wholeLines(blockRows * (slabStep * (gradients ? slabs : 1) + 12 + 4 * slabs + 4 * columns));
    backend.withScratch(sumBytes + kernels.lanes * scratchBytes, (sums) => {
      const room = { scratch: sums + sumBytes, scratchBytes, blockRows, slabItems, slabStep };
      kernels.run('librarySoftmax', { ...given, sums, ...room });
      kernels.runAlone('sumLanes', sums, loss, kernels.lanes, 1);
    });
    return;
  }
  const blockRows = blockOf(BLOCK_ROWS);
  const wide = Math.ceil(columns / 8) * 8;
  const scoreStep = lineBytes(items);
  const scratchBytes = blockRows * (scoreStep + 16 + 4 * wide);
  const tableBytes = packedBytes(columns, items);
  const chunkBytes = gradients ? Math.ceil(items / ITEM_CHUNK) * ITEM_CHUNK * 4 * wide : 0;
  backend.withScratch(tableBytes + chunkBytes + sumBytes + kernels.lanes * scratchBytes, (panels) => {
    const chunks = panels + tableBytes;
    const sums = chunks + chunkBytes;
    kernels.run('packPanels', given.table, 4 * columns, panels, columns, items, 1);
    if (gradients) kernels.run('packChunks', given.table, chunks, items, columns);
    const room = { scratch: sums + sumBytes, scratchBytes, scoreStep, blockRows };
    kernels.run('fullSoftmax', { ...given, panels, chunks, sums, ...room });
    kernels.runAlone('sumLanes', sums, loss, kernels.lanes, 1);
  });
}

/** Bytes from one line of scores to the next: whole cache lines, and not a power of two, which would share few places in caches. */
function lineBytes(items: number): number {
  const bytes = wholeLines(4 * items);
  return bytes % 1024 === 0 ? bytes + 64 : bytes;
}

function wholeLines(bytes: number): number {
  return Math.ceil(bytes / 64) * 64;
}
