import { type ComputedSettings, computedSettings } from '#src/catalog/parameters/embeddingParameters.ts';
import type { InitParameters } from '#src/catalog/parameters/initParameters.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { zScoreColumns } from '#workers/graphs/zScoreColumns.ts';
import type { InitialDistribution } from '#workers/models/initialTable.ts';
import { computedEmbeddings } from './computedEmbeddings.ts';
import type { Side } from './startRequest.ts';
import type { RecommendationData, TrainingContext } from '../trainingContext.ts';

export type InitialEmbeddings = Readonly<Record<Side, InitialDistribution>>;

type Context = Pick<TrainingContext, 'reporter' | 'cancellation' | 'seed' | 'compute'> & {
  data: Pick<RecommendationData, 'inputs'>;
};

export interface StartRequest {
  /** What computed embeddings are made from. */
  training: TrainingPart;
  dimension: number;
  /** Which are wanted. */
  sides: readonly Side[];
}

/** Names of the inputs that `init.method` `input` reads, `.npy` files of (users, dimension) and (items, dimension). */
const INPUTS: Readonly<Record<Side, string>> = { users: 'user-embeddings', items: 'item-embeddings' };

/**
 * What the embeddings of a model start from, by `init`: a distribution to draw from, or values that were computed from the
 * run's training interactions or read from its inputs. Only `sides` are computed; the others of the result are not to be
 * used. Throws BAD_INPUT for inputs that are missing or do not fit, and what `computedEmbeddings` throws.
 */
export async function initialEmbeddings(
  context: Context,
  init: InitParameters,
  { training, dimension, sides }: StartRequest,
): Promise<InitialEmbeddings> {
  const { method } = init;
  switch (method) {
    case 'xavier-normal':
    case 'xavier-uniform':
      return { users: { method }, items: { method } };
    case 'normal':
    case 'uniform': {
      const drawn = { method, deviation: init.deviation };
      return { users: drawn, items: drawn };
    }
    case 'input': {
      const read = (side: Side) => givenBy(context, { side, dimension, columns: init.columns, training });
      const unused: InitialDistribution = { method: 'xavier-normal' };
      return {
        users: sides.includes('users') ? read('users') : unused,
        items: sides.includes('items') ? read('items') : unused,
      };
    }
    default: {
      const settings = computedSettings(settingsOf(init));
      const found = await computedEmbeddings(context, { method, part: training, dimension, settings, sides });
      const given = (side: Side): InitialDistribution => {
        return { method: 'given', values: Float32Array.from(found.get(side)?.vectors ?? []) };
      };
      return { users: given('users'), items: given('items') };
    }
  }
}

function settingsOf({ method: _, deviation: __, frozen: ___, ...settings }: InitParameters): Partial<ComputedSettings> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

interface GivenRequest extends Pick<StartRequest, 'training' | 'dimension'> {
  side: Side;
  columns: InitParameters['columns'];
}

function givenBy(
  { data: { inputs } }: Context,
  { side, dimension, columns, training: { dataset } }: GivenRequest,
): InitialDistribution {
  const name = INPUTS[side];
  const bytes = inputs.get(name);
  if (bytes === undefined) {
    const there = [...inputs.keys()].join(', ') || 'none';
    throw badInput(
      `init.method is input, which reads ${name}; the run's inputs are: ${there}. Give it as ${name}=RUN:${name}.npy`,
      `inputs.${name}`,
    );
  }
  const table = decodeNpyTable(bytes, `inputs.${name}`);
  const rows = side === 'users' ? dataset.userCount : dataset.itemCount;
  if (table.rows !== rows || table.columns !== dimension) {
    throw badInput(
      `inputs.${name}: its shape is (${table.rows}, ${table.columns}); expected (${rows}, ${dimension}): the ${side} of "${dataset.name}" and the dimension of the model`,
      `inputs.${name}`,
    );
  }
  if (!table.values.every(Number.isFinite)) {
    throw badInput(`inputs.${name}: it has numbers that are not finite; expected finite ones`, `inputs.${name}`);
  }
  const values = columns === 'z-score' ? zScoreColumns(Float64Array.from(table.values), dimension) : table.values;
  return { method: 'given', values: Float32Array.from(values) };
}
