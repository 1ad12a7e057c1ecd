export interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** How far a download is: one line redrawn in place on a terminal, elsewhere a line for each tenth. */
export function downloadProgress(stream: ProgressStream): {
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
