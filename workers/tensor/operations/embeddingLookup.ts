import { tf } from '../tf.ts';
import type { WasmBackend } from '../wasm/wasmBackend.ts';
import { checkIds } from './checkIds.ts';
import { differentiable } from './differentiable.ts';
import { expectShape } from './expectShape.ts';
import { gatheredRows, summedRows } from './gatheredRows.ts';
import { wasmBackendInUse } from './wasmBackendInUse.ts';

/**
 * The rows `ids` of a table [rows, d]: [ids, d]. The gradient is the sum of what arrives for each row, dense, of the
 * table's shape; on wasm each row is summed in the order of `ids`, whatever the number of threads. With `blanks` the id -1
 * stands for a row of zeros that is not learned. Throws BAD_INPUT for a row that the table lacks.
 */
export function embeddingLookup(
  table: tf.Tensor2D,
  ids: Int32Array,
  { blanks = false }: { blanks?: boolean } = {},
): tf.Tensor2D {
  expectShape('embeddingLookup', 'table', table, [null, null]);
  checkIds('embeddingLookup', ids, { rows: table.shape[0], blanks });
  const backend = wasmBackendInUse();
  if (backend) return fusedEmbeddingLookup(backend, table, ids);
  return blanks ? composedBlankLookup(table, ids) : composedEmbeddingLookup(table, ids);
}

/** The reference implementation of `embeddingLookup`, out of tfjs operations. */
export function composedEmbeddingLookup(table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  const { shape } = table;
  return differentiable([table], () => ({
    value: tf.gather(table, tf.tensor1d(ids, 'int32')),
    gradient: (upstream) => [tf.scatterND(tf.tensor2d(ids, [ids.length, 1], 'int32'), upstream, shape)],
  }));
}

/** The reference implementation of `embeddingLookup` with blanks: a row of zeros stands below the table. */
export function composedBlankLookup(table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  const [rows, columns] = table.shape;
  const known = ids.map((id) => (id < 0 ? rows : id));
  return tf.tidy(() => composedEmbeddingLookup(tf.concat([table, tf.zeros<tf.Rank.R2>([1, columns])], 0), known));
}

function fusedEmbeddingLookup(backend: WasmBackend, table: tf.Tensor2D, ids: Int32Array): tf.Tensor2D {
  const [rows, columns] = table.shape;
  return differentiable([table], (save) => {
    const numbers = tf.tensor1d(ids, 'int32');
    save([numbers]);
    return {
      value: gatheredRows(backend, table, { numbers, shape: [ids.length, columns] }),
      gradient: (upstream, [saved]) => [summedRows(backend, upstream, { numbers: saved!, shape: [rows, columns] })],
    };
  });
}
