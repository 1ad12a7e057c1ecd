import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { npyHeader } from '#workers/math/npyHeader.ts';
import { hasClosedActivation } from './recurrentKernelParameters.ts';
import type { NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import { checkRecurrentGram, type RecurrentGramOptions } from './recurrentGram.ts';
import { recurrentGramTiles } from './recurrentGramTiles.ts';
import { seriesDiagonals } from './seriesDiagonals.ts';
import type { SeriesSet } from './seriesSet.ts';
import { badInput } from '#src/contracts/errors.ts';

/**
 * `recurrentGram` written to a NumPy file of float64 (rows, columns) row by row, for matrices beyond memory: needs the
 * series, one tile of them packed and one row. Both halves of a symmetric matrix are computed, so that each row is
 * written once and in one piece. A file begun is removed when it fails or is stopped.
 */
export function recurrentGramFile(
  engine: NumericThreads,
  { rows, columns, path }: { rows: SeriesSet; columns: SeriesSet | null; path: string },
  options: Omit<RecurrentGramOptions, 'limitBytes'>,
): void {
  checkRecurrentGram({ rows, columns }, options.network);
  const { network, kernel } = options;
  if (!hasClosedActivation(network)) {
    throw badInput(`Gram matrices on disk have relu, erf and linear only, got ${network.activation}`, 'activation');
  }
  const own = seriesDiagonals(network, rows);
  const prepared = { set: rows, own };
  const others = columns === null ? prepared : { set: columns, own: seriesDiagonals(network, columns) };
  const diagonal = kernel === 'nngp' ? own.nngp : own.theta;
  const columnCount = others.set.offsets.length - 1;
  const header = npyHeader('<f8', [rows.offsets.length - 1, columnCount]);
  const file = openSync(path, 'wx+');
  try {
    writeSync(file, header, 0, header.length, 0);
    recurrentGramTiles(
      engine,
      { rows: prepared, columns: others },
      {
        ...options,
        network,
        take(row, order, found) {
          const line = new Float64Array(columnCount);
          const base = header.length + row * columnCount * 8;
          // Where columns come in several tiles, the row holds what the earlier ones wrote.
          if (order.length < columnCount) readSync(file, line, 0, line.byteLength, base);
          for (let at = 0; at < order.length; at++) line[order[at]] = found[at];
          if (columns === null) line[row] = diagonal[row];
          writeSync(file, line, 0, line.byteLength, base);
        },
      },
    );
  } catch (thrown) {
    closeSync(file);
    rmSync(path, { force: true });
    throw thrown;
  }
  closeSync(file);
}
