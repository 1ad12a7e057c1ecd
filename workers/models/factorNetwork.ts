/**
 * Matrix factorisation as a network that optimizers train in batches: S. Rendle et al., UAI 2009; the score of an item for a
 * user is the product of their rows.
 */
import { bayesianPersonalisedRanking } from '../tensor/operations/bayesianPersonalisedRanking.ts';
import { embeddingLookup } from '../tensor/operations/embeddingLookup.ts';
import type { tf } from '../tensor/tf.ts';
import { type InitialDistribution, initialTable } from './initialTable.ts';
import { type GeneratorOf, initialMatrix } from './initialValues.ts';
import type { MfModel, MfShape } from './mfBpr.ts';

/** Triples (user, item, other), as columns. */
export interface TripleBatch {
  /** (triples) */
  readonly users: Int32Array;
  /** (triples) Items that the users met. */
  readonly items: Int32Array;
  /** (triples) Items that they did not. */
  readonly others: Int32Array;
}

export interface FactorNetwork {
  /** `users` and `items`, or `nodes`: users first, then items. Whoever made the network disposes them. */
  readonly parameters: ReadonlyMap<string, tf.Variable<tf.Rank.R2>>;
  readonly shape: MfShape;
}

/** What the embeddings start from. */
export interface FactorStart {
  readonly users: InitialDistribution;
  readonly items: InitialDistribution;
  /** Whether users and items are in one table. */
  readonly isJoint: boolean;
}

/** The network before training; the same embeddings, joint or not. */
export function initFactors(shape: MfShape, start: FactorStart, generatorOf: GeneratorOf): FactorNetwork {
  const { userCount, itemCount, dimension } = shape;
  const users = initialTable([userCount, dimension], start.users, generatorOf('users'));
  const items = initialTable([itemCount, dimension], start.items, generatorOf('items'));
  const variable = (values: Float32Array): tf.Variable<tf.Rank.R2> => {
    const shapeOf = [values.length / dimension, dimension] as const;
    return initialMatrix(shapeOf, { method: 'given', values }, generatorOf('given'));
  };
  if (!start.isJoint) {
    return {
      parameters: new Map([
        ['users', variable(users)],
        ['items', variable(items)],
      ]),
      shape,
    };
  }
  const nodes = new Float32Array(users.length + items.length);
  nodes.set(users);
  nodes.set(items, users.length);
  return { parameters: new Map([['nodes', variable(nodes)]]), shape };
}

/** The triples of a batch as rows of a joint table: users first, then items. */
export function nodeTriples(
  { users, items, others }: TripleBatch,
  userCount: number,
): Record<'users' | 'positives' | 'negatives', Int32Array> {
  const moved = (ids: Int32Array): Int32Array => ids.map((id) => id + userCount);
  return { users, positives: moved(items), negatives: moved(others) };
}

/** Mean of -ln σ(score of the item - score of the other) over the batch: a scalar, differentiable in the parameters. */
export function factorLoss({ parameters, shape }: FactorNetwork, batch: TripleBatch): tf.Scalar {
  const nodes = parameters.get('nodes');
  const { users, positives, negatives } = nodeTriples(batch, nodes === undefined ? 0 : shape.userCount);
  const hidden = embeddingLookup(nodes ?? parameters.get('users')!, users); // (triples, d)
  return bayesianPersonalisedRanking({ hidden, table: nodes ?? parameters.get('items')!, positives, negatives });
}

/** The rows of a joint table [users + items, d], copied out; the table is disposed. */
export async function jointModel(rows: tf.Tensor2D, userCount: number): Promise<MfModel> {
  const values = Float32Array.from(await rows.data<'float32'>());
  const dimension = rows.shape[1];
  rows.dispose();
  const end = userCount * dimension;
  return { dimension, users: values.slice(0, end), items: values.slice(end) };
}

/** The embeddings, copied out. */
export async function factorModel({ parameters, shape }: FactorNetwork): Promise<MfModel> {
  const { userCount, dimension } = shape;
  const copy = async (name: string): Promise<Float32Array> =>
    Float32Array.from(await parameters.get(name)!.data<'float32'>());
  if (!parameters.has('nodes')) return { dimension, users: await copy('users'), items: await copy('items') };
  const nodes = await copy('nodes');
  const end = userCount * dimension;
  return { dimension, users: nodes.slice(0, end), items: nodes.slice(end) };
}
