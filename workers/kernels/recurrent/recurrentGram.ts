import { badInput } from '#src/base/contracts/errors.ts';
import { hasClosedActivation, type RecurrentKernelParameters } from './recurrentKernelParameters.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { checkGramMemory } from './gramMemory.ts';
import type { KernelMatrix } from './kernelMatrix.ts';
import { recurrentCoefficients } from './recurrentCoefficients.ts';
import { recurrentGramTiles } from './recurrentGramTiles.ts';
import { recurrentKernelPair } from './recurrentKernelPair.ts';
import { seriesDiagonals } from './seriesDiagonals.ts';
import { checkSeriesSet, type SeriesSet, seriesVectors } from './seriesSet.ts';
import { vectorSequencePair } from './sequencePair.ts';

export interface RecurrentGramOptions {
  network: RecurrentKernelParameters;
  /** `rntk` for Theta, `nngp` for K. */
  kernel: 'rntk' | 'nngp';
  /** Called between blocks with the share done, 0 to 1; may throw to stop. */
  betweenBlocks?: (done: number) => void;
  /** Most bytes that the matrix may take. Default: three quarters of the machine's memory. */
  limitBytes?: number;
  /** Bytes of the packed series of one tile. Default 512 MiB. */
  tileBytes?: number;
}

/**
 * The Gram matrix of `rows` with themselves (columns null: symmetric, the diagonal is "the same sample", where sigma_h
 * enters) or with other samples `columns`: RNTK Eq. 9 or 15 of every pair, in float64. Lengths may differ.
 *
 * O(L min(T, T')) a pair, two numbers of state a layer; a symmetric half is computed once. Beside the matrix itself it needs
 * the series and one block of rows. Without an engine, and for activations by quadrature, the plain reference implementation computes it (slow:
 * meant for tens of series). Throws BAD_INPUT for bad series or sigmas, OUT_OF_MEMORY for a matrix that does not fit.
 */
export function recurrentGram(
  engine: NumericThreads | null,
  { rows, columns }: { rows: SeriesSet; columns: SeriesSet | null },
  options: RecurrentGramOptions,
): KernelMatrix {
  checkRecurrentGram({ rows, columns }, options.network);
  const { network, kernel } = options;
  const rowCount = rows.offsets.length - 1;
  const columnCount = (columns ?? rows).offsets.length - 1;
  checkGramMemory(rowCount, columnCount, options.limitBytes);
  const values = new Float64Array(rowCount * columnCount);
  const gram: KernelMatrix = { rows: rowCount, columns: columnCount, values };
  if (engine === null || !hasClosedActivation(network)) {
    fillByReference(gram, { rows, columns }, options);
    return gram;
  }
  const own = seriesDiagonals(network, rows);
  const other = columns === null ? own : seriesDiagonals(network, columns);
  const sets = { rows: { set: rows, own }, columns: columns === null ? null : { set: columns, own: other } };
  recurrentGramTiles(engine, sets, {
    ...options,
    network,
    take(row, order, found) {
      const base = row * columnCount;
      for (let at = 0; at < order.length; at++) {
        values[base + order[at]] = found[at];
        if (columns === null) values[order[at] * columnCount + row] = found[at];
      }
    },
  });
  if (columns === null) {
    const diagonal = kernel === 'nngp' ? own.nngp : own.theta;
    for (let i = 0; i < rowCount; i++) values[i * columnCount + i] = diagonal[i];
  }
  return gram;
}

/** Throws BAD_INPUT for series and networks that have no kernel. */
export function checkRecurrentGram(
  { rows, columns }: { rows: SeriesSet; columns: SeriesSet | null },
  network: RecurrentKernelParameters,
): void {
  recurrentCoefficients(network);
  checkSeriesSet(rows);
  if (columns === null) return;
  checkSeriesSet(columns);
  if (columns.dimension !== rows.dimension) {
    throw badInput(`rows have ${rows.dimension} numbers a time step, columns ${columns.dimension}`, 'columns');
  }
}

function fillByReference(
  gram: KernelMatrix,
  { rows, columns }: { rows: SeriesSet; columns: SeriesSet | null },
  { network, kernel, betweenBlocks }: RecurrentGramOptions,
): void {
  const xs = Array.from({ length: gram.rows }, (_, i) => seriesVectors(rows, i));
  const ys = columns === null ? xs : Array.from({ length: gram.columns }, (_, j) => seriesVectors(columns, j));
  for (const [i, x] of xs.entries()) {
    betweenBlocks?.(i / gram.rows);
    for (let j = columns === null ? i : 0; j < gram.columns; j++) {
      const { theta, nngp } = recurrentKernelPair(network, vectorSequencePair(x, ys[j]));
      gram.values[i * gram.columns + j] = kernel === 'nngp' ? nngp : theta;
      if (columns === null) gram.values[j * gram.columns + i] = gram.values[i * gram.columns + j];
    }
  }
}
