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

interface Gradients {
  readonly hidden: number;
  readonly table: number;
  readonly bias: number;
}

/**
 * The loss and its gradients in one pass over the positions: what the gradients of a unit are is known at once, and the way
 * back only multiplies. Scratch: twice the table, and a block of scores and a table a lane.
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
  { hidden, table, bias, targets, weights, normaliser }: FullSoftmax,
  { loss, gradients }: { loss: number; gradients: Gradients | null },
): void {
  const [positions, columns] = hidden.shape;
  const [items] = table.shape;
  const { lanes } = backend.kernels;
  const factors = tf.tensor1d(Float32Array.from(targets, (_, at) => (weights?.[at] ?? 1) / (normaliser ?? positions)));
  const rows = Math.max(4, Math.min(BLOCK_ROWS, Math.floor(BLOCK_SCORES / items)));
  const wide = Math.ceil(columns / 8) * 8;
  const scoreStep = lineBytes(items);
  const laneBytes = rows * (scoreStep + 16 + 4 * wide);
  const tableBytes = packedBytes(columns, items);
  const chunkBytes = gradients ? Math.ceil(items / ITEM_CHUNK) * ITEM_CHUNK * 4 * wide : 0;
  const sumBytes = 64 * lanes;
  const numbers = heapIntegers(backend, targets);
  const from = backend.addressOf(table);
  backend.withScratch(tableBytes + chunkBytes + sumBytes + lanes * laneBytes, (panels) => {
    const chunks = panels + tableBytes;
    const sums = chunks + chunkBytes;
    backend.kernels.run('packPanels', from, 4 * columns, panels, columns, items, 1);
    if (gradients) backend.kernels.run('packChunks', from, chunks, items, columns);
    backend.kernels.run('fullSoftmax', {
      hidden: backend.addressOf(hidden),
      table: from,
      bias: bias ? backend.addressOf(bias) : 0,
      targets: numbers,
      factors: backend.addressOf(factors),
      panels,
      chunks,
      sums,
      scratch: sums + sumBytes,
      scratchBytes: laneBytes,
      scoreStep,
      blockRows: rows,
      hiddenGradient: gradients?.hidden ?? 0,
      tableParts: gradients?.table ?? 0,
      biasParts: gradients?.bias ?? 0,
      positions,
      items,
      columns,
      wanted: gradients ? 1 : 0,
    });
    backend.kernels.runAlone('sumLanes', sums, loss, lanes, 1);
  });
}

/** Bytes from one line of scores to the next: whole cache lines, and not a power of two, which would share few places in caches. */
function lineBytes(items: number): number {
  const bytes = Math.ceil(items / 16) * 64;
  return bytes % 1024 === 0 ? bytes + 64 : bytes;
}
