import type { Item2VecParameters } from '#src/catalog/parameters/item2VecParameters.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { decodeNpyTable } from '#src/base/contracts/npyTable.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { ExperimentContext } from '../experiment.ts';
import { pretrainItems, warnOfCorpus } from './pretrainItems.ts';

type Context = ExperimentContext<Item2VecParameters & { pretrainings: number }>;

/** One pretraining, or embeddings that another run left. */
export interface Replicate {
  /** (items, d) h as trained. */
  vectors: Float32Array | Float64Array;
  /** Loss of each epoch; empty for embeddings of another run. */
  losses: number[];
  /** h after some of the epochs, by epoch. */
  snapshots: ReadonlyMap<number, Float32Array>;
}

export interface RepeatOptions {
  /** Epochs after which h is kept. */
  snapshotsAt?: ReadonlySet<number>;
  /** Part of the run's progress that this is. */
  share: number;
  /** Pretrainings that are done already, the first of all. */
  finished?: readonly Replicate[];
  /** Called after each with all that are done. */
  onReplicate?: (done: readonly Replicate[]) => void;
}

/**
 * The inputs of the run, in the order of their names, or as many pretrainings as its parameters say, each with a seed of its
 * own drawn from the run's. Throws BAD_INPUT for inputs that do not fit the dataset or each other.
 */
export async function repeatedPretraining(
  context: Context,
  { snapshotsAt, share, finished = [], onReplicate }: RepeatOptions,
): Promise<Replicate[]> {
  const { parameters, reporter, seed } = context;
  const { inputs } = context.data;
  if (inputs.size > 0) return givenEmbeddings(context);
  await warnOfCorpus(context);
  const { pretrainings, epochs } = parameters;
  const replicates = [...finished];
  for (let number = finished.length; number < pretrainings; number++) {
    const snapshots = new Map<number, Float32Array>();
    const own = randomGenerator(seed, `pretraining ${number}`).nextUint32();
    const { vectors, losses } = await pretrainItems(context, {
      seed: own,
      onEpoch: ({ epoch, loss, seconds, vectors: now }) => {
        if (snapshotsAt?.has(epoch)) snapshots.set(epoch, now());
        reporter.timing('train', seconds);
        const done = (number + epoch / epochs) / pretrainings;
        reporter.progress(
          share * done,
          `pretraining ${number + 1} of ${pretrainings}, epoch ${epoch}, loss ${loss.toFixed(4)}`,
        );
      },
    });
    reporter.metric('train/loss', number, losses.at(-1)!);
    reporter.metric('train/epochs', number, losses.length);
    replicates.push({ vectors, losses, snapshots });
    onReplicate?.(replicates);
  }
  return replicates;
}

/**
 * The inputs of the run as pretrainings, in the order of their names. Throws BAD_INPUT for fewer than two, and for those that do
 * not fit the dataset or each other.
 */
export async function givenEmbeddings({
  data,
  parameters,
  reporter,
}: Pick<ExperimentContext<{ dimension: number }>, 'data' | 'parameters' | 'reporter'>): Promise<Replicate[]> {
  const { inputs } = data;
  const dataset = await data.sequences();
  const names = [...inputs.keys()].sort();
  if (names.length < 2)
    throw badInput(`one input, ${names[0]}; expected the embeddings of at least two pretrainings`, 'inputs');
  reporter.log('info', `takes ${names.length} inputs instead of pretraining: ${names.join(', ')}`);
  return names.map((name) => {
    const { values, rows, columns } = decodeNpyTable(inputs.get(name)!, `inputs.${name}`);
    if (rows !== dataset.itemCount || columns !== parameters.dimension) {
      throw badInput(
        `input ${name} has ${rows} vectors of length ${columns}; expected ${dataset.itemCount} of length ${parameters.dimension}: the items of dataset "${dataset.name}", prepared as for its pretraining`,
        `inputs.${name}`,
      );
    }
    return { vectors: values, losses: [], snapshots: new Map() };
  });
}
