import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { badInput } from '#src/contracts/errors.ts';

const FILE_HEADER = 7;
const BLOCK = 32_768;
const RECORD_HEADER = 7;

/** Parts of a record: whole, first, middle, last. */
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * The records of a `.wandb` file: the log format of LevelDB (doc/log_format.md there) after a header of seven bytes that
 * counts as part of the first block, with plain CRC-32 sums. What cannot be read ends it.
 * @returns Why it ended before the end of the file; null when all was read.
 * @throws WarrenError BAD_INPUT when it is no such file.
 */
export function* readWandbLog(path: string): Generator<Uint8Array, string | null, undefined> {
  const bytes = readFileSync(path);
  if (bytes.length < FILE_HEADER || bytes.toString('latin1', 0, 4) !== ':W&B') {
    throw badInput(`${path}: this is no file of an offline run of W&B's`, 'source');
  }
  let parts: Uint8Array[] = [];
  let at = FILE_HEADER;
  while (at < bytes.length) {
    const left = BLOCK - (at % BLOCK);
    if (left < RECORD_HEADER) {
      at += left;
      continue;
    }
    if (at + RECORD_HEADER > bytes.length) return `the file ends within a record, at byte ${at}`;
    const length = bytes.readUInt16LE(at + 4);
    const type = bytes[at + 6]!;
    const end = at + RECORD_HEADER + length;
    if (end > bytes.length) return `the file ends within a record, at byte ${at}`;
    // the rest of a block that a crash left empty
    if (type === 0 && length === 0) {
      at += left;
      continue;
    }
    const continues = type === MIDDLE || type === LAST;
    const sound = crc32(bytes.subarray(at + 6, end)) === bytes.readUInt32LE(at) && continues === parts.length > 0;
    if (!sound || ![FULL, FIRST, MIDDLE, LAST].includes(type)) return `a record is damaged, at byte ${at}`;
    parts.push(bytes.subarray(at + RECORD_HEADER, end));
    at = end;
    if (type === FIRST || type === MIDDLE) continue;
    yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
  }
  return parts.length > 0 ? 'the file ends within a record' : null;
}
