import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { badInput } from '#src/base/contracts/errors.ts';

const FILE_HEADER = 7;
const BLOCK = 32_768;
const RECORD_HEADER = 7;
/** Bytes of a record; a longer one is taken for damage. */
const LONGEST_RECORD = 1 << 28;

/** Parts of a record: whole, first, middle, last. */
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];

/**
 * The records of a `.wandb` file: the log format of LevelDB (doc/log_format.md there) after a header of seven bytes that
 * counts as part of the first block, with plain CRC-32 sums. One block and one record are in memory at a time. What cannot be
 * read ends it.
 * @returns Why it ended before the end of the file; null when all was read.
 * @throws WarrenError BAD_INPUT when it is no such file.
 */
export function* readWandbLog(path: string): Generator<Uint8Array, string | null, undefined> {
  const file = openSync(path, 'r');
  try {
    return yield* readBlocks(file, path);
  } finally {
    closeSync(file);
  }
}

/** Fills a block from a place of a file on. Returns the part of it that the file has. */
function blockAt(file: number, offset: number, block: Buffer): Buffer {
  let held = 0;
  while (held < BLOCK) {
    const read = readSync(file, block, held, BLOCK - held, offset + held);
    if (read === 0) break;
    held += read;
  }
  return block.subarray(0, held);
}

function* readBlocks(file: number, path: string): Generator<Uint8Array, string | null, undefined> {
  const space = Buffer.alloc(BLOCK);
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for (let offset = 0; ; offset += BLOCK) {
    const block = blockAt(file, offset, space);
    if (offset === 0 && (block.length < FILE_HEADER || block.toString('latin1', 0, 4) !== ':W&B')) {
      throw badInput(`${path}: this is no file of an offline run of W&B's`, 'source');
    }
    let at = offset === 0 ? FILE_HEADER : 0;
    // a record never begins in the last bytes of a block, which are too few for its header
    while (at < block.length && BLOCK - at >= RECORD_HEADER) {
      const torn = `the file ends within a record, at byte ${offset + at}`;
      if (at + RECORD_HEADER > block.length) return torn;
      const length = block.readUInt16LE(at + 4);
      const type = block[at + 6]!;
      // the rest of a block that a crash left empty
      if (type === 0 && length === 0) break;
      const end = at + RECORD_HEADER + length;
      const damaged = `a record is damaged, at byte ${offset + at}`;
      if (end > block.length) return block.length < BLOCK ? torn : damaged;
      const continues = type === MIDDLE || type === LAST;
      const sound = crc32(block.subarray(at + 6, end)) === block.readUInt32LE(at) && continues === parts.length > 0;
      bytes = continues ? bytes + length : length;
      if (!sound || bytes > LONGEST_RECORD || ![FULL, FIRST, MIDDLE, LAST].includes(type)) return damaged;
      // copied: the next block takes the place of this one
      parts.push(new Uint8Array(block.subarray(at + RECORD_HEADER, end)));
      at = end;
      if (type === FIRST || type === MIDDLE) continue;
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
      parts = [];
    }
    if (block.length < BLOCK) return parts.length > 0 ? 'the file ends within a record' : null;
  }
}
