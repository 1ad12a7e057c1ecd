import { z } from 'zod';

/** What can be logged to look at, and what each is. */
export const MEDIA_KINDS = {
  image: 'A picture: PNG, JPEG, GIF, WebP or SVG.',
  table: 'JSON: `{"columns": [names], "data": [[cells of a row], …]}`.',
  histogram: 'Bins and counts in the metadata: `{"edges": [n + 1 numbers], "counts": [n numbers]}`; it has no content.',
  text: 'Plain text; a short one stands in the metadata, `{"text": "…"}`, and needs no content.',
  html: 'A page; nothing in it is run.',
  audio: 'Sound: WAV, MP3, Ogg, FLAC.',
  video: 'Moving pictures: MP4, WebM.',
  vegaLite: 'The JSON of a Vega-Lite chart.',
  plotly: 'The JSON of a Plotly figure.',
  echarts: 'The JSON of an ECharts option.',
  array: 'A NumPy array in the .npy format.',
  file: 'Any other file.',
} as const;

export type MediaKind = keyof typeof MEDIA_KINDS;

/** Bins of a histogram at most. */
export const MOST_BINS = 512;

/** What a histogram's metadata must hold. */
export const histogramSchema = z
  .object({ edges: z.array(z.number()).min(2), counts: z.array(z.number().min(0)).min(1).max(MOST_BINS) })
  .refine(({ edges, counts }) => edges.length === counts.length + 1, 'one more edge than counts')
  .refine(({ edges }) => edges.every((edge, i) => i === 0 || edge >= edges[i - 1]!), 'edges that rise');

/** Characters of a text that stands in the metadata, at most: as JSON it then fits there, whatever they are. */
export const LONGEST_SHORT_TEXT = 5_000;

/** What the metadata of a text without content must hold. */
export const shortTextSchema = z.object({ text: z.string().max(LONGEST_SHORT_TEXT) });

const CONTENT = /^media\/([0-9a-f]{64})$/;

/** Name of the artifact that is the content of media. */
export function mediaContentName(sha256: string): string {
  return `media/${sha256}`;
}

/** The sha256 that an artifact's name says it is the content of, or null where it is an ordinary artifact. */
export function mediaContentOf(artifactName: string): string | null {
  return CONTENT.exec(artifactName)?.[1] ?? null;
}
