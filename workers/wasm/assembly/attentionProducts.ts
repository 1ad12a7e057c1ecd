// The matrix products of attention within the sequence and head at hand, by the tiles of the large ones.
import * as job from './attentionJob';
import { hasProductLibrary, productOfLibrary } from './libraryProduct';
import { packPlain, packTransposed } from './matrixProduct';
import { tile } from './matrixTile';

/** Below, a call costs more than the product. */
const LIBRARY_LENGTH: i32 = 16;

/** The same for causal sequences, where the tiles leave out what a query does not see, half of it. */
const CAUSAL_LIBRARY_LENGTH: i32 = 24;

/** Whether a library multiplies whole matrices. */
@inline
function isForLibrary(): bool {
  return hasProductLibrary && job.length >= (job.isCausal ? CAUSAL_LIBRARY_LENGTH : LIBRARY_LENGTH);
}

/** What a causal query gives to keys after it becomes 0: a library multiplies it, too. */
function clearUnseen(w: usize): void {
  if (!job.isCausal) return;
  for (let i = 0; i < job.length - 1; i++) {
    memory.fill(w + <usize>i * job.strideBytes + (<usize>(i + 1) << 2), 0, <usize>(job.length - 1 - i) << 2);
  }
}

/** to (length, stride) becomes (`starts`) or gains rows of x times rows of y; what no key of a block is seen by is left as it was. */
export function scores(x: usize, y: usize, to: usize, starts: bool): void {
  const length = job.length;
  if (isForLibrary()) {
    productOfLibrary(x, job.rowBytes, 4, y, job.rowBytes, true, to, job.strideBytes, length, length, job.width, starts);
    if (starts) clearRest(to, length);
    return;
  }
  packTransposed(y, job.rowBytes, job.width, length, job.panels);
  const panelBytes = <usize>job.width << 5;
  for (let row = 0; row < length; row += 4) {
    const seen = job.isCausal ? min(row + 4, length) : length;
    for (let column = 0; column < seen; column += 8) {
      const panel = job.panels + <usize>(column >> 3) * panelBytes;
      tile(
        x + <usize>row * job.rowBytes, job.rowBytes, 4, panel, job.width,
        to + <usize>row * job.strideBytes + (<usize>column << 2), job.strideBytes, length - row, 8, 0, starts, 0,
      );
    }
  }
}

/** Scores from the last key to a multiple of four, which are read and weigh nothing, are made finite. */
function clearRest(row: usize, length: i32): void {
  for (let i = 0; i < length; i++) {
    for (let j = length; j & 3; j++) f32.store(row + (<usize>j << 2), 0);
    row += job.strideBytes;
  }
}

/** to (length, width) = w (length, length) times rows of y. */
export function timesRows(w: usize, y: usize, to: usize): void {
  const length = job.length;
  if (isForLibrary()) {
    clearUnseen(w);
    productOfLibrary(w, job.strideBytes, 4, y, job.rowBytes, false, to, job.rowBytes, length, job.width, length, true);
    return;
  }
  packPlain(y, job.rowBytes, length, job.width, job.panels);
  const panelBytes = <usize>length << 5;
  for (let row = 0; row < length; row += 4) {
    const seen = job.isCausal ? min(row + 4, length) : length;
    for (let column = 0; column < job.width; column += 8) {
      tile(
        w + <usize>row * job.strideBytes, job.strideBytes, 4, job.panels + <usize>(column >> 3) * panelBytes, seen,
        to + <usize>row * job.rowBytes + (<usize>column << 2), job.rowBytes, length - row, job.width - column, 0, true, 0,
      );
    }
  }
}

/** to (length, width) = w (length, length) transposed, times rows of y. */
export function transposedTimesRows(w: usize, y: usize, to: usize): void {
  const length = job.length;
  if (isForLibrary()) {
    clearUnseen(w);
    productOfLibrary(w, 4, job.strideBytes, y, job.rowBytes, false, to, job.rowBytes, length, job.width, length, true);
    return;
  }
  packPlain(y, job.rowBytes, length, job.width, job.panels);
  const panelBytes = <usize>length << 5;
  for (let row = 0; row < length; row += 4) {
    const from = job.isCausal ? row : 0;
    const left = w + <usize>from * job.strideBytes + (<usize>row << 2);
    for (let column = 0; column < job.width; column += 8) {
      tile(
        left, 4, job.strideBytes, job.panels + <usize>(column >> 3) * panelBytes + (<usize>from << 5), length - from,
        to + <usize>row * job.rowBytes + (<usize>column << 2), job.rowBytes, length - row, job.width - column, 0, true, 0,
      );
    }
  }
}
