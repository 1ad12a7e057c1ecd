import { knownDataset } from '#src/catalog/datasets.ts';
import { datasetReportSchema } from '#src/base/contracts/datasetReport.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { downloadDataset } from '#src/datasets/downloadDataset.ts';
import type { Environment } from '#src/base/platform/environment.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { datasetsSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';

const REAL = 'amazon-beauty';
const GENERATED = 'generated/markov-medium';

/** A newcomer does not wait longer for a dataset of 1 MB; what has come is taken up again the next time. */
const PATIENCE_MS = 20_000;

/**
 * Amazon Beauty where a data folder has it or its public home can be reached, else generated data, with words about it for
 * the newcomer.
 */
export async function chooseDataset(
  context: CommandContext,
  environment: Environment,
): Promise<{ name: string; words: string }> {
  const { dataFolders } = environment;
  const datasets = await inspectNumerics(context, ['datasets'], datasetsSchema);
  const real = datasets.find((dataset) => dataset.name === REAL);
  if (real !== undefined && real.path !== null) return { name: REAL, words: `dataset ${REAL}, from ${real.path}` };
  const fetched = await fetchReal(context, environment);
  if ('words' in fetched) return { name: REAL, words: fetched.words };
  return {
    name: GENERATED,
    words: `${REAL} was not found in ${dataFolders.join(', ')}${fetched.reason}: running on generated data (${GENERATED}). Set WARREN_DATA to a folder with datasets for real ones; \`warren data ls\` says where they come from.`,
  };
}

/** Tries once to fetch it; `reason`, where it did not come, goes on the sentence that says so. */
async function fetchReal(
  context: CommandContext,
  { dataFolders, offline }: Environment,
): Promise<{ words: string } | { reason: string }> {
  const [dataset, folder] = [knownDataset(REAL), dataFolders.at(-1)];
  if (offline || dataset === undefined || folder === undefined) return { reason: '' };
  try {
    await downloadDataset(dataset, {
      folder,
      onProgress: () => undefined,
      retry: { retries: 0 },
      signal: AbortSignal.timeout(PATIENCE_MS),
      async verify(staged) {
        const question = JSON.stringify({ name: REAL, lenient: false, folder: staged });
        await inspectNumerics(context, ['report', question], datasetReportSchema);
      },
    });
    return { words: `dataset ${REAL}, fetched from ${dataset.downloads[0]?.url ?? dataset.home} into ${folder}` };
  } catch (thrown) {
    return { reason: ` and could not be fetched (${coerceError(thrown).message})` };
  }
}
