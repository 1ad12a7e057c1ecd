import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { checkIds } from './checkIds.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { heapIntegers, heapTensor } from './heapTensor.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * The rows `ids` of a table [rows, d]: [ids, d]. The gradient is the sum of what arrives for each row, dense, of the
 * table's shape; on wasm each row is summed in the order of `ids`, whatever the number of threads. Throws BAD_INPUT for a
 * row that the table lacks.
 */
export function embeddingLookup(table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  expectShape('embeddingLookup', 'table', table, [null, null]);
  checkIds('embeddingLookup', ids, { rows: table.shape[0] });
  const backend = wasmBackendInUse();
  return backend ? fusedEmbeddingLookup(backend, table, ids) : composedEmbeddingLookup(table, ids);
}

/** The reference implementation of `embeddingLookup`, out of tfjs operations. */
export function composedEmbeddingLookup(table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  const { shape } = table;
  return differentiable([table], () => ({
    value: tf.gather(table, tf.tensor1d(ids, 'int32')),
    gradient: (upstream) => [tf.scatterND(tf.tensor2d(ids, [ids.length, 1], 'int32'), upstream, shape)],
  }));
}

function fusedEmbeddingLookup(backend: WasmBackend, table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  const [rows, columns] = table.shape;
  const count = ids.length;
  return differentiable([table], () => {
    const { tensor, address } = heapTensor<tf.Tensor2D>(backend, [count, columns]);
    const numbers = heapIntegers(backend, ids);
    const from = backend.addressOf(table);
    backend.compute(count * columns, 'gatherRows', {
      table: from,
      indices: numbers,
      to: address,
      outer: 1,
      extent: rows,
      count,
      inner: columns,
    });
    return {
      value: tensor,
      gradient: (upstream) => {
        const sums = heapTensor<tf.Tensor2D>(backend, [rows, columns]);
        const again = heapIntegers(backend, ids);
        const terms = backend.addressOf(upstream);
        const cost = (rows + count) * columns;
        backend.compute(cost, 'segmentSum', terms, again, sums.address, count, rows, columns);
        return [sums.tensor];
      },
    };
  });
}
