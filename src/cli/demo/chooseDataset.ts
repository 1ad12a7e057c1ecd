import type { Environment } from '../../platform/environment.ts';
import { datasetsSchema, inspectNumerics } from '../inspectNumerics.ts';

const REAL = 'amazon-beauty';
const GENERATED = 'generated/markov-medium';

/** Amazon Beauty where a data folder has it, else generated data, with words about it for the newcomer. */
export async function chooseDataset({ dataFolders }: Environment): Promise<{ name: string; words: string }> {
  const datasets = await inspectNumerics(['datasets'], datasetsSchema);
  const real = datasets.find((dataset) => dataset.name === REAL);
  if (real !== undefined && real.path !== null) return { name: REAL, words: `dataset ${REAL}, from ${real.path}` };
  return {
    name: GENERATED,
    words: `${REAL} was not found in ${dataFolders.join(', ')}: running on generated data (${GENERATED}). Set WARREN_DATA to a folder with datasets for real ones; \`warren data ls\` says where they come from.`,
  };
}
