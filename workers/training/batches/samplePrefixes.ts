import { type TrainingPart, trainingItems } from '#workers/data/split/trainingPart.ts';
import { packHistories, type SequenceInput } from '#workers/models/sequenceNetwork.ts';

/**
 * At most `prefixes` prefixes of the users' training items, evenly spread over all of them, `atOnce` in a batch, each to be represented
 * by its last item. The same for equal training parts: nothing is drawn.
 */
export function samplePrefixes(
  training: TrainingPart,
  { prefixes, atOnce, maximumLength }: { prefixes: number; atOnce: number; maximumLength: number },
): SequenceInput[] {
  const users = Array.from({ length: training.dataset.userCount }, (_, user) => trainingItems(training, user));
  const total = users.reduce((sum, items) => sum + Math.max(0, items.length - 1), 0);
  const count = Math.min(prefixes, total);
  const chosen: Uint32Array[] = [];
  let before = 0;
  for (const items of users) {
    const here = Math.max(0, items.length - 1);
    for (; chosen.length < count; ) {
      const place = Math.floor((chosen.length * total) / count) - before;
      if (place >= here) break;
      chosen.push(items.subarray(0, place + 1));
    }
    before += here;
  }
  const inputs: SequenceInput[] = [];
  for (let from = 0; from < chosen.length; from += atOnce) {
    inputs.push(packHistories(chosen.slice(from, from + atOnce), maximumLength));
  }
  return inputs;
}
