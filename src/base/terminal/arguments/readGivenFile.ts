import { readFile } from 'node:fs/promises';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

/**
 * The text of a file that an argument names.
 * @throws WarrenError BAD_INPUT for one that is missing or cannot be read.
 */
export async function readGivenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { message } = coerceError(error);
    throw badInput(
      message.startsWith('ENOENT') ? `there is no file ${file}` : `${file} cannot be read: ${message}`,
      file,
    );
  }
}
