import { tf } from '../tf.ts';
import { checkIds } from './checkIds.ts';
import { differentiable } from './differentiable.ts';
import { embeddingLookup } from './embeddingLookup.ts';
import { expectShape } from './expectShape.ts';

/**
 * Sum of the squared norms of the rows `ids` of a table [rows, d], each as often as it stands there: a scalar, differentiable in the
 * table. Where there are more ids than rows, each row is read once. Throws BAD_INPUT for a row that the table lacks.
 */
export function squaredNorms(table: tf.Tensor2D, ids: Int32Array): tf.Scalar {
  expectShape('squaredNorms', 'table', table, [null, null]);
  const [rows] = table.shape;
  if (rows > ids.length) return tf.sum(tf.square(embeddingLookup(table, ids)));
  checkIds('squaredNorms', ids, { rows });
  const counts = new Float32Array(rows);
  for (const id of ids) counts[id]!++;
  return differentiable<tf.Scalar>([table], (save) => {
    const counted = tf.mul(table, tf.tensor2d(counts, [rows, 1]));
    save([counted]);
    return {
      value: tf.sum(tf.mul(counted, table)),
      gradient: (upstream, [given]) => [tf.mul(given!, tf.mul(upstream, 2))],
    };
  });
}
