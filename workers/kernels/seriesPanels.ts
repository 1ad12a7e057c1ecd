import { PANEL } from '../wasm/gramFields.ts';
import type { HeapScope } from './gramEngine.ts';
import type { ClosedNetwork } from './closedNetwork.ts';
import type { SeriesDiagonals } from './seriesDiagonals.ts';
import { type SeriesSet, seriesLength } from './seriesSet.ts';

/** Series packed as the compiled kernel reads them (`gramFields.ts`). */
export interface PlacedPanels {
  /** Which series stands where, shortest first. */
  order: Uint32Array;
  dimension: number;
  panelCount: number;
  /** Addresses. */
  panels: number;
  lengths: number;
}

/** Numbers of the series, shortest first, equal lengths in their order. */
export function byLength(set: SeriesSet): Uint32Array {
  const order = Uint32Array.from({ length: set.offsets.length - 1 }, (_, series) => series);
  return order.sort((a, b) => seriesLength(set, a) - seriesLength(set, b) || a - b);
}

/** Cuts an order into parts whose packed panels take at most `bytes` each; a single panel always fits. */
export function splitByBytes(
  set: SeriesSet,
  order: Uint32Array,
  { layers, bytes }: { layers: number; bytes: number },
): Uint32Array[] {
  const stepBytes = (set.dimension + layers) * 8;
  const parts: Uint32Array[] = [];
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length) {
      const next = Math.min(order.length, to + PANEL);
      if (to > from && (next - from) * seriesLength(set, order[next - 1]) * stepBytes > bytes) break;
      to = next;
    }
    parts.push(order.subarray(from, to));
    from = to;
  }
  return parts;
}

/** Packs the series of `order`, with room for `steps` each. The last panel is filled up with copies of the last series. */
export function placePanels(
  scope: HeapScope,
  { set, own }: { set: SeriesSet; own: SeriesDiagonals },
  { order, steps, network }: { order: Uint32Array; steps: number; network: ClosedNetwork },
): PlacedPanels {
  const { dimension, values, offsets } = set;
  const { layers, activation } = network;
  const width = dimension + layers;
  const panelCount = Math.ceil(order.length / PANEL);
  const panels = scope.doubles(panelCount * steps * width * PANEL);
  const lengths = scope.doubles(panelCount * PANEL);
  panels.values.fill(0);
  for (let place = 0; place < panelCount * PANEL; place++) {
    const series = order[Math.min(place, order.length - 1)];
    const length = seriesLength(set, series);
    lengths.values[place] = length;
    let to = Math.floor(place / PANEL) * steps * width * PANEL + (place % PANEL);
    for (let step = offsets[series + 1] - 1; step >= offsets[series]; step--) {
      for (let k = 0; k < dimension; k++, to += PANEL) panels.values[to] = values[step * dimension + k];
      for (let l = 0; l < layers; l++, to += PANEL) {
        const variance = own.variances[step * layers + l];
        panels.values[to] = activation === 'erf' ? 1 + 2 * variance : variance;
      }
    }
  }
  return { order, dimension, panelCount, panels: panels.address, lengths: lengths.address };
}
