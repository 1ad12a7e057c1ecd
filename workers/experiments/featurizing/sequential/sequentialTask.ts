import type { FeaturizeSequentialParameters } from '#src/catalog/kinds/featurizeSequential.ts';
import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { leaveOneOutParts } from '#workers/evaluation/protocols/leaveOneOutParts.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import type { ExperimentContext } from '#workers/experiments/experiment.ts';

/** What the recommender trains on and what it is asked. */
export interface SequentialTask {
  /** All of every user but the last item; there is no validation. */
  training: TrainingPart;
  /** (queries) All that is known of each evaluated user: x_1 … x_{n-1}. Views. */
  histories: readonly Uint32Array[];
  /** (queries) x_n. */
  targets: Uint32Array;
  /** (queries) Items that the user never met, among which the target is ranked; null for none. */
  candidates: readonly Uint32Array[] | null;
}

type Context = Pick<ExperimentContext<FeaturizeSequentialParameters>, 'data' | 'parameters' | 'seed' | 'reporter'>;

/**
 * Leave-one-out as Appendix F has it: the last item of each user with at least three tests, all before it train. Throws
 * DATA_ERROR where nobody can be evaluated.
 */
export async function sequentialTask({ data, parameters, seed, reporter }: Context): Promise<SequentialTask> {
  const dataset = await data.sequences();
  const { split, testPart } = leaveOneOutParts(dataset, { excludeSeen: false }, reporter);
  const { users, targets } = testPart;
  const each = parameters.towers.candidates;
  const generator = randomGenerator(seed, 'test candidates');
  const drawn = (user: number): Uint32Array => {
    const own = dataset.items.subarray(dataset.offsets[user]!, dataset.offsets[user + 1]!);
    const others = itemsBut(own, dataset.itemCount);
    const count = Math.min(each, others.length);
    for (let place = 0; place < count; place++) {
      const from = place + generator.nextInt(others.length - place);
      [others[place], others[from]] = [others[from]!, others[place]!];
    }
    return others.slice(0, count);
  };
  return {
    training: { dataset, trainEnd: split.validationEnd },
    histories: Array.from(users, (_, index) => testPart.history(index)),
    targets,
    candidates: each === 0 ? null : Array.from(users, drawn),
  };
}

/** All items but these, ascending. */
function itemsBut(met: Uint32Array, itemCount: number): Uint32Array {
  const isMet = new Uint8Array(itemCount);
  for (const item of met) isMet[item] = 1;
  const others = new Uint32Array(itemCount);
  let written = 0;
  for (let item = 0; item < itemCount; item++) if (isMet[item] === 0) others[written++] = item;
  return others.subarray(0, written);
}
