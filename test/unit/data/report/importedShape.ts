import { importDataset, type ImportRequest, type ImportResult } from '#workers/data/report/importDataset.ts';
import { fileWith, newFolder } from '../dataFiles.ts';

export type Options = ImportRequest['options'];

/** A file of interactions in a form that people have. */
export interface Shape {
  like: string;
  name: string;
  content: string | Buffer;
  options?: Options;
  format?: string;
}

/** What an import of the file understood; nothing is kept. */
export async function imported({ name, content, options = {}, format }: Shape): Promise<ImportResult['summary']> {
  const request = { name: 'mine', folder: newFolder(), parts: [], replace: false, dryRun: true, items: null };
  const { summary } = await importDataset({
    ...request,
    files: [fileWith(content, name)],
    options,
    format: format ?? null,
  });
  return summary;
}

/** Text of these lines. */
export const lines = (...of: readonly string[]): string => `${of.join('\n')}\n`;

export const AT = 1_404_279_348;

/** Plain tar archives, as POSIX has them. */
export function tarOf(files: readonly (readonly [string, string])[]): Buffer {
  const blocks = files.flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const body = Buffer.alloc(512 * Math.ceil(content.length / 512));
    body.write(content);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
