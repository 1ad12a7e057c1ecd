import { type ErrorRecord, INFRASTRUCTURE_CODES } from '#src/base/contracts/errors.ts';

/** Folders of an absolute path, also behind `file://`; the last part of the path is not among them. */
const FOLDERS = /(?:file:\/\/|(?<![\w:/.…-]))\/(?:[^\s/:"'`()<>,;]+\/)+/g;
/** What a reader of data files says that it has found in a line. */
const CONTENT = /\bfound "(?:[^"\\]|\\.)*"/g;

/**
 * A run's failure as everybody may read it who reads runs: without the folders of the worker's machine, and without what
 * stands in its files. The worker's own log says all. Failures of the machinery stay as they are: whoever mends them needs the
 * folder.
 */
export function publicFailure(error: ErrorRecord): ErrorRecord {
  if (INFRASTRUCTURE_CODES.has(error.code)) return error;
  const shown = (text: string): string => {
    const placeless = text.replace(FOLDERS, '…/');
    return error.code === 'DATA_ERROR' ? placeless.replace(CONTENT, 'found something else') : placeless;
  };
  return {
    ...error,
    message: shown(error.message),
    ...(error.path === undefined ? {} : { path: shown(error.path) }),
    ...(error.stack === undefined ? {} : { stack: shown(error.stack) }),
  };
}
