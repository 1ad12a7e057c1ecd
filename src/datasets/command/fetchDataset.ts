import { allDatasets, knownDataset } from '#src/catalog/datasets.ts';
import { READER_HOMES } from '#src/catalog/readers.ts';
import { datasetReportSchema } from '#src/base/contracts/datasetReport.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { didYouMean } from '#src/base/lib/nearNames.ts';
import { downloadDataset } from '#src/datasets/downloadDataset.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import { ownFolder } from './ownFolder.ts';

interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** How far a download is: one line redrawn in place on a terminal, elsewhere a line for each tenth. */
function downloadProgress(stream: ProgressStream): {
  update: (file: string, receivedBytes: number, totalBytes: number | null) => void;
  finish: () => void;
} {
  let shown = '';
  return {
    update(file, receivedBytes, totalBytes) {
      const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
      const ofAll = totalBytes === null ? '' : ` of ${megabytes(totalBytes)}`;
      const text = `${file}: ${megabytes(receivedBytes)}${ofAll} MB`;
      if (stream.isTTY === true) {
        stream.write(`\r${text.padEnd(shown.length)}`);
        shown = text;
        return;
      }
      const tenth =
        totalBytes === null ? Math.floor(receivedBytes / 1e7) : Math.floor((10 * receivedBytes) / totalBytes);
      const step = `${file} ${tenth}`;
      if (step !== shown) stream.write(`${text}\n`);
      shown = step;
    },
    finish() {
      if (stream.isTTY === true && shown !== '') stream.write('\n');
      shown = '';
    },
  };
}

/** The body of `warren data download`. */
export async function fetchDataset(context: CommandContext, name: string): Promise<void> {
  const { terminal } = context;
  const dataset = knownDataset(name);
  const home = Object.hasOwn(READER_HOMES, name) ? READER_HOMES[name] : undefined;
  if (dataset === undefined && home !== undefined) {
    throw badInput(
      `"${name}" is fetched by hand, since its home wants a person: ${home}, whose terms hold. Then: warren data import NAME FILE --format ${name}`,
      'name',
    );
  }
  if (dataset === undefined) {
    const names = [...allDatasets().map((known) => known.name), ...Object.keys(READER_HOMES)];
    throw badInput(`"${name}" is not a known dataset.${didYouMean(name, names) || ' See: warren data ls'}`, 'name');
  }
  const progress = downloadProgress(terminal.error);
  const { paths, downloads } = await downloadDataset(dataset, {
    folder: ownFolder(context.environment()),
    onProgress: progress.update,
    onWait: () => terminal.say(`warren: another process is fetching ${dataset.name}; waiting for it`),
    async verify(folder) {
      progress.finish();
      await inspectNumerics(
        context,
        ['report', JSON.stringify({ name: dataset.name, lenient: false, folder })],
        datasetReportSchema,
      );
    },
  }).finally(progress.finish);
  for (const { url, sha256 } of downloads) terminal.print(`${url}\n  sha256 ${sha256}`);
  for (const path of paths) terminal.print(path);
  terminal.print(`Terms: ${dataset.licence}\nCite:  ${dataset.citation}`);
}
