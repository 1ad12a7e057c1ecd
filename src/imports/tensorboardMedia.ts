import { MOST_BINS } from '#src/base/contracts/media.ts';
import type { SourceMedia } from './source.ts';
import type { Histogram, SummaryValue, Tensor } from './tensorboardEvents.ts';

/** What of a summary can be looked at; empty where it is none of these. */
export function mediaOf(value: SummaryValue, plugin: string, at: { step: number; timeMs: number }): SourceMedia[] {
  const place = { name: value.tag.slice(0, 500), ...at };
  const { tensor } = value;
  if (value.image !== null) return [picture(place, value.image, 0)];
  if (value.audio !== null) return [sound(place, value.audio, 0)];
  if (value.histogram !== null) return histogramMedia(place, binsOf(value.histogram));
  if (tensor === null) return [];
  if (plugin === 'histograms') return histogramMedia(place, binsOfTensor(tensor));
  // width and height come before the images
  if (plugin === 'images') return tensor.texts.slice(2).map((bytes, index) => picture(place, bytes, index));
  if (plugin === 'audio') {
    const width = Math.max(1, tensor.shape[1] ?? 1);
    return tensor.texts.flatMap((bytes, index) => (index % width === 0 ? [sound(place, bytes, index / width)] : []));
  }
  if (plugin !== 'text') return [];
  return tensor.texts.map((bytes, index) => ({
    ...place,
    index,
    kind: 'text',
    content: Buffer.from(bytes),
    mediaType: 'text/plain',
  }));
}

type Place = Pick<SourceMedia, 'name' | 'step' | 'timeMs'>;

function picture(place: Place, bytes: Uint8Array, index: number): SourceMedia {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  const mediaType = start.startsWith('GIF8') ? 'image/gif' : start.startsWith('\xff\xd8') ? 'image/jpeg' : 'image/png';
  return { ...place, index, kind: 'image', content: Buffer.from(bytes), mediaType };
}

function sound(place: Place, bytes: Uint8Array, index: number): SourceMedia {
  return { ...place, index, kind: 'audio', content: Buffer.from(bytes), mediaType: 'audio/wav' };
}

interface Bins {
  edges: number[];
  counts: number[];
}

function histogramMedia(place: Place, bins: Bins | null): SourceMedia[] {
  if (bins === null) return [];
  return [{ ...place, kind: 'histogram', content: null, mediaType: '', metadata: { ...fewer(bins) } }];
}

/** TensorFlow's outermost bins reach to the largest double: they end at the extremes of the data. */
function binsOf({ minimum, maximum, limits, counts }: Histogram): Bins | null {
  if (limits.length === 0 || limits.length !== counts.length || !(minimum <= maximum)) return null;
  const clamped = limits.map((limit) => Math.min(Math.max(limit, minimum), maximum));
  return checked({ edges: [minimum, ...clamped], counts });
}

/** Rows of left edge, right edge and count. */
function binsOfTensor({ shape, numbers }: Tensor): Bins | null {
  if (shape[1] !== 3 || numbers.length === 0 || numbers.length % 3 !== 0) return null;
  const rows = Array.from({ length: numbers.length / 3 }, (_, row) => numbers.slice(3 * row, 3 * row + 3));
  return checked({ edges: [rows[0]![0]!, ...rows.map((row) => row[1]!)], counts: rows.map((row) => row[2]!) });
}

function checked({ edges, counts }: Bins): Bins | null {
  const rising = edges.every((edge, index) => Number.isFinite(edge) && (index === 0 || edge >= edges[index - 1]!));
  return rising && counts.every((count) => Number.isFinite(count) && count >= 0) ? { edges, counts } : null;
}

/** Neighbouring bins together until there are no more than Warren takes. */
function fewer({ edges, counts }: Bins): Bins {
  const width = Math.ceil(counts.length / MOST_BINS);
  if (width === 1) return { edges, counts };
  const summed: number[] = [];
  for (let start = 0; start < counts.length; start += width) {
    summed.push(counts.slice(start, start + width).reduce((sum, count) => sum + count, 0));
  }
  return {
    edges: edges.filter((_, index) => index % width === 0 || index === edges.length - 1),
    counts: summed,
  };
}
