import { ACTIVATION_ERF, ACTIVATION_LINEAR, ACTIVATION_RELU } from '#workers/wasm/fields/searchFields.ts';
import * as fields from '#workers/wasm/fields/gramFields.ts';
import { compiledCoefficients } from './compiledCoefficients.ts';
import type { NumericScope, NumericThreads } from '#workers/wasm/threads/numericThreads.ts';
import type { ClosedNetwork } from './recurrentKernelParameters.ts';
import type { SeriesDiagonals } from './seriesDiagonals.ts';
import { byLength, panelWidth, type PlacedPanels, placePanels, splitByBytes } from './seriesPanels.ts';
import { type SeriesSet, seriesLength } from './seriesSet.ts';

/** Series with what each has alone. */
export interface PreparedSeries {
  set: SeriesSet;
  own: SeriesDiagonals;
}

export interface GramTileOptions {
  network: ClosedNetwork;
  kernel: 'rntk' | 'nngp';
  betweenBlocks?: (done: number) => void;
  /** Bytes of the packed series of one tile. Default 512 MiB. */
  tileBytes?: number;
  /**
   * Takes part of a row: `found[at]` is the value of series `row` with column `order[at]`. Of a symmetric matrix only one
   * half comes, and a few more; the diagonal it brings is that of two samples. The arrays are overwritten afterwards.
   */
  take(row: number, order: Uint32Array, found: Float64Array): void;
}

/** Cells (pairs x steps x layers) of one call: some 20 ms of a thread, so that progress and cancellation are prompt. */
const CELLS_OF_A_CALL = 4_000_000;
/** Bytes of the packed series of one tile at most, and of a call's results. */
const SERIES_BYTES = 512 * 2 ** 20;
const RESULT_BYTES = 16 * 2 ** 20;

const ACTIVATION_NUMBERS = { relu: ACTIVATION_RELU, erf: ACTIVATION_ERF, linear: ACTIVATION_LINEAR };

/**
 * Every value of a Gram matrix, row by row in tiles of bounded memory, by the compiled kernel `recurrentGram` on all
 * threads of the engine. Series are sorted by length, so that a panel's eight begin nearly together.
 */
export function recurrentGramTiles(
  engine: NumericThreads,
  { rows, columns }: { rows: PreparedSeries; columns: PreparedSeries | null },
  options: GramTileOptions,
): void {
  const { network } = options;
  const bytes = options.tileBytes ?? SERIES_BYTES;
  const rowTiles = splitByBytes(rows.set, byLength(rows.set), { network, bytes });
  const columnTiles =
    columns === null ? rowTiles : splitByBytes(columns.set, byLength(columns.set), { network, bytes });
  let done = 0;
  const tileCount =
    columns === null ? (rowTiles.length * (rowTiles.length + 1)) / 2 : rowTiles.length * columnTiles.length;
  for (const [a, rowOrder] of rowTiles.entries()) {
    for (const [b, columnOrder] of columnTiles.entries()) {
      if (columns === null && b < a) continue;
      const scope = engine.scope();
      const steps = Math.max(longest(rows.set, rowOrder), longest((columns ?? rows).set, columnOrder));
      try {
        const placedRows = placePanels(scope, rows, { order: rowOrder, steps, network });
        const symmetric = columns === null && a === b;
        const placedColumns = symmetric
          ? placedRows
          : placePanels(scope, columns ?? rows, { order: columnOrder, steps, network });
        const share = (part: number) => options.betweenBlocks?.((done + part) / tileCount);
        computeTile(engine, scope, { rows: placedRows, columns: placedColumns, symmetric, steps, share, options });
      } finally {
        scope.release();
      }
      done++;
    }
  }
}

function longest(set: SeriesSet, order: Uint32Array): number {
  return seriesLength(set, order[order.length - 1]);
}

interface Tile {
  rows: PlacedPanels;
  columns: PlacedPanels;
  symmetric: boolean;
  steps: number;
  share(part: number): void;
  options: GramTileOptions;
}

function computeTile({ heap, kernels }: NumericThreads, scope: NumericScope, tile: Tile): void {
  const { rows, columns, symmetric, steps, options } = tile;
  const { layers } = options.network;
  const padded = columns.panelCount * fields.PANEL;
  const rowCount = rows.order.length;
  const byWork = Math.ceil((CELLS_OF_A_CALL * kernels.lanes) / (padded * steps * layers));
  const atOnce = Math.min(
    rowCount,
    Math.max(kernels.lanes, byWork),
    Math.max(1, Math.floor(RESULT_BYTES / (padded * 8))),
  );
  const out = scope.placeDoubles(atOnce * padded);
  const job = placeJob(scope, { tile, outAddress: out.address, lanes: kernels.lanes });
  for (let from = 0; from < rowCount; from += atOnce) {
    tile.share(symmetric ? 1 - (1 - from / rowCount) ** 2 : from / rowCount);
    const to = Math.min(rowCount, from + atOnce);
    job.values[fields.NEXT_ROW] = from;
    kernels.run('recurrentGram', job.address, from, to);
    for (let row = from; row < to; row++) {
      const first = symmetric ? row - (row % fields.PANEL) : 0;
      const start = (row - from) * padded;
      const found = new Float64Array(
        heap.memory.buffer,
        out.address + (start + first) * 8,
        columns.order.length - first,
      );
      options.take(rows.order[row], columns.order.subarray(first), found);
    }
  }
}

function placeJob(scope: NumericScope, by: { tile: Tile; outAddress: number; lanes: number }) {
  const { rows, columns, symmetric, steps, options } = by.tile;
  const { network, kernel } = options;
  const { layers } = network;
  const width = panelWidth(network, rows.dimension);
  const scratchBytes =
    Math.ceil((steps * width * 8 + fields.CONSTANTS_BYTES + layers * 2 * fields.PANEL * 8) / 64) * 64;
  const { memory, input, bias } = compiledCoefficients(network, rows.dimension);
  const coefficients = scope.placeDoubles(3 * layers);
  for (let l = 0; l < layers; l++) coefficients.values.set([memory[l], input[l], bias[l]], 3 * l);
  return scope.placeFields(fields.JOB_WORDS, [
    [fields.ROW_PANELS, rows.panels],
    [fields.ROW_LENGTHS, rows.lengths],
    [fields.COLUMN_PANELS, columns.panels],
    [fields.COLUMN_LENGTHS, columns.lengths],
    [fields.COLUMN_PANEL_COUNT, columns.panelCount],
    [fields.STEPS, steps],
    [fields.DIMENSION, rows.dimension],
    [fields.LAYERS, layers],
    [fields.ACTIVATION, ACTIVATION_NUMBERS[network.activation]],
    [fields.IS_NNGP, kernel === 'nngp' ? 1 : 0],
    [fields.SYMMETRIC, symmetric ? 1 : 0],
    [fields.COEFFICIENTS, coefficients.address],
    [fields.SCRATCH, scope.reserve(scratchBytes * by.lanes)],
    [fields.SCRATCH_BYTES, scratchBytes],
    [fields.OUT, by.outAddress],
    [fields.WIDTH, width],
    [fields.ROW_SCALES, rows.scales],
    [fields.COLUMN_SCALES, columns.scales],
  ]);
}
