/**
 * What an LZ4 frame holds (LZ4 frame format 1.6): the form in which Arrow compresses its buffers. Checksums are not checked. Throws
 * a RangeError for frames that are cut off or damaged.
 */
export function decodeLz4Frame(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== 0x184d2204) throw new RangeError('no LZ4 frame');
  const flags = view.getUint8(4);
  const [hasBlockChecksum, hasSize, hasDictionary] = [flags & 16, flags & 8, flags & 1];
  let at = 7 + (hasSize ? 8 : 0) + (hasDictionary ? 4 : 0);
  const output = new Uint8Array(length);
  let filled = 0;
  for (let header = view.getUint32(at, true); header !== 0; header = view.getUint32(at, true)) {
    at += 4;
    const size = header & 0x7fffffff;
    const block = frame.subarray(at, at + size);
    if (block.length < size) throw new RangeError('an LZ4 frame that is cut off');
    if (header >>> 31 === 1) {
      output.set(block, filled);
      filled += size;
    } else filled = decodeBlock(block, output, filled);
    at += size + (hasBlockChecksum ? 4 : 0);
  }
  return output.subarray(0, filled);
}

/** Decodes one block behind what is there, to which it may refer. Returns where it ends. */
function decodeBlock(block: Uint8Array, output: Uint8Array, start: number): number {
  let [at, to] = [0, start];
  const longer = (length: number): number => {
    if (length !== 15) return length;
    for (let more = 255; more === 255; length += more) {
      more = block[at++] ?? 0;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = longer(token >>> 4);
    if (at + literals > block.length || to + literals > output.length) throw new RangeError('a damaged LZ4 block');
    output.set(block.subarray(at, at + literals), to);
    at += literals;
    to += literals;
    if (at >= block.length) break;
    const distance = block[at]! | (block[at + 1]! << 8);
    at += 2;
    const length = longer(token & 15) + 4;
    if (distance === 0 || distance > to || to + length > output.length) throw new RangeError('a damaged LZ4 block');
    // byte by byte: a match may reach into what it writes
    for (let copied = 0; copied < length; copied++, to++) output[to] = output[to - distance]!;
  }
  return to;
}
