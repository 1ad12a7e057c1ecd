import { PANEL } from '#workers/wasm/fields/gramFields.ts';
import type { NumericScope } from '#workers/wasm/threads/numericThreads.ts';
import type { ClosedNetwork } from './recurrentKernelParameters.ts';
import { compiledCoefficients } from './compiledCoefficients.ts';
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
  scales: number;
}

/** Doubles of a step and series in a panel (`gramFields.ts`). */
export function panelWidth({ activation, layers }: ClosedNetwork, dimension: number): number {
  return activation === 'relu' ? dimension - 1 + 3 * layers : dimension + layers;
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
  { network, bytes }: { network: ClosedNetwork; bytes: number },
): Uint32Array[] {
  const stepBytes = panelWidth(network, set.dimension) * 8;
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
  scope: NumericScope,
  prepared: { set: SeriesSet; own: SeriesDiagonals },
  { order, steps, network }: { order: Uint32Array; steps: number; network: ClosedNetwork },
): PlacedPanels {
  const { set } = prepared;
  const width = panelWidth(network, set.dimension);
  const panelCount = Math.ceil(order.length / PANEL);
  const panels = scope.placeDoubles(panelCount * steps * width * PANEL);
  const lengths = scope.placeDoubles(panelCount * PANEL);
  const scales = scope.placeDoubles(panelCount * PANEL);
  const place = network.activation === 'relu' ? placeTermsOfCorrelation : placeInputsAndVariances;
  const coefficients = compiledCoefficients(network, set.dimension);
  const roots = {
    memory: coefficients.memory.map(Math.sqrt),
    input: coefficients.input.map(Math.sqrt),
    bias: coefficients.bias.map(Math.sqrt),
    readOut: Math.sqrt(coefficients.readOut),
  };
  panels.values.fill(0);
  for (let seat = 0; seat < panelCount * PANEL; seat++) {
    const series = order[Math.min(seat, order.length - 1)];
    lengths.values[seat] = seriesLength(set, series);
    const to = Math.floor(seat / PANEL) * steps * width * PANEL + (seat % PANEL);
    scales.values[seat] = place(panels.values, { to, width, series, prepared, network, roots });
  }
  return {
    order,
    dimension: set.dimension,
    panelCount,
    panels: panels.address,
    lengths: lengths.address,
    scales: scales.address,
  };
}

interface Seat {
  /** Where the series' first number goes; the others follow a panel's width apart. */
  to: number;
  width: number;
  series: number;
  prepared: { set: SeriesSet; own: SeriesDiagonals };
  network: ClosedNetwork;
  /** Of the network's coefficients. */
  roots: { memory: Float64Array; input: Float64Array; bias: Float64Array; readOut: number };
}

/** Places a series for erf or the linear kernel; returns its scale. */
function placeInputsAndVariances(panels: Float64Array, { to, series, prepared, network, roots }: Seat): number {
  const { set, own } = prepared;
  const { dimension, values, offsets } = set;
  const { layers, activation } = network;
  for (let step = offsets[series + 1] - 1; step >= offsets[series]; step--) {
    for (let k = 0; k < dimension; k++, to += PANEL) panels[to] = values[step * dimension + k];
    for (let l = 0; l < layers; l++, to += PANEL) {
      const variance = own.variances[step * layers + l];
      panels[to] = activation === 'erf' ? 1 + 2 * variance : variance;
    }
  }
  return roots.readOut;
}

/** Places a series for ReLU; returns its scale. What has no variance correlates with nothing: its numbers are 0. */
function placeTermsOfCorrelation(panels: Float64Array, { to, width, series, prepared, network, roots }: Seat): number {
  const { set, own } = prepared;
  const { dimension, values, offsets } = set;
  const { layers } = network;
  const { memory, input, bias } = roots;
  const [first, end] = [offsets[series], offsets[series + 1]];
  const before = new Float64Array(layers);
  let deviation = 0;
  for (let step = first; step < end; step++) {
    let at = to + (end - 1 - step) * width * PANEL;
    for (let l = 0; l < layers; l++) {
      const below = deviation;
      deviation = Math.sqrt(own.variances[step * layers + l]);
      const per = deviation > 0 ? 1 / deviation : 0;
      panels[at] = bias[l] * per;
      at += PANEL;
      if (l > 0) {
        panels[at] = input[l] * below * per;
        at += PANEL;
      } else {
        for (let k = 0; k < dimension; k++, at += PANEL) panels[at] = input[0] * values[step * dimension + k] * per;
      }
      panels[at] = memory[l] * before[l] * per;
      at += PANEL;
      before[l] = deviation;
    }
  }
  return roots.readOut * deviation;
}
