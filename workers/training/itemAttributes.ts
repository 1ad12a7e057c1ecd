import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ItemInfo } from '../data/read/readItemTable.ts';
import { type TrainingPart, trainingItems } from '../data/split/trainingPart.ts';
import type { TrainingContext } from './trainingContext.ts';

/**
 * Leaves `items.csv`, a line an item in the order of the rows of embeddings: its id, how many interactions of the training part
 * it has, and where they are known its title and genres.
 */
export async function reportItemAttributes(
  { data, reporter }: Pick<TrainingContext, 'data' | 'reporter'>,
  training: TrainingPart,
): Promise<void> {
  const { itemIds, itemCount, userCount } = training.dataset;
  const popularity = new Uint32Array(itemCount);
  for (let user = 0; user < userCount; user++) for (const item of trainingItems(training, user)) popularity[item]!++;
  const known = await knownItems(data);
  const lines = [known === null ? ['id', 'popularity'] : ['id', 'popularity', 'title', 'genres']];
  for (const [item, id] of itemIds.entries()) {
    const told = known?.get(id);
    const line = [id, String(popularity[item])];
    if (known !== null) line.push(told?.title ?? '', told?.genres.join(', ') ?? '');
    lines.push(line);
  }
  const text = lines.map((line) => `${line.map(csvField).join(',')}\n`).join('');
  reporter.artifact('items.csv', Buffer.from(text), 'text/csv');
}

/** Null where no file beside the dataset tells of its items, or none that can be read: a trained run does not fail for that. */
async function knownItems(data: TrainingContext['data']): Promise<ReadonlyMap<string, ItemInfo> | null> {
  try {
    return await data.items();
  } catch (error) {
    if (error instanceof WarrenError && error.code !== 'CANCELLED') return null;
    throw error;
  }
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
