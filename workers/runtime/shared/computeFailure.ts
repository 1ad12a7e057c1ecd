import { type ErrorCode, type ErrorRecord, toErrorRecord } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';
import { isFullDisk } from '#src/base/lib/fullDisk.ts';
import { storableText } from './storableText.ts';

const OUT_OF_MEMORY =
  /array buffer allocation failed|could not allocate memory|cannot allocate memory|ERR_WORKER_OUT_OF_MEMORY|heap out of memory|out of memory/i;
/** TensorFlow's words, and V8's for an array that no memory could hold. */
const TOO_LARGE = /OOM when allocating|resource exhausted|invalid typed array length: \d{10,}/i;
const LONGEST_MESSAGE = 5_000;
const LONGEST_STACK = 20_000;

/**
 * What an experiment threw, as a record that can be stored: OUT_OF_MEMORY, UNAVAILABLE where a disk of the machine is full,
 * a `WarrenError`'s own code, or RUN_FAILED.
 */
export function computeFailure(thrown: unknown): ErrorRecord {
  const error = coerceError(thrown);
  const record = toErrorRecord(error, 'RUN_FAILED');
  const systemCode = 'code' in error ? String(error.code) : '';
  const isMemory =
    systemCode === 'ERR_WORKER_OUT_OF_MEMORY' ||
    (error instanceof RangeError && OUT_OF_MEMORY.test(error.message)) ||
    TOO_LARGE.test(error.message);
  return {
    ...record,
    code: isMemory ? 'OUT_OF_MEMORY' : codeOf(error, record.code),
    message: storableText(record.message || error.name, LONGEST_MESSAGE),
    ...(record.stack === undefined ? {} : { stack: storableText(record.stack, LONGEST_STACK) }),
  };
}

function codeOf(error: Error, code: ErrorCode): ErrorCode {
  if (isFullDisk(error)) return 'UNAVAILABLE';
  return code === 'CANCELLED' ? 'RUN_FAILED' : code;
}
