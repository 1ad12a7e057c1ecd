import type { TextBatch } from '#workers/models/textClassifier.ts';
import { sequenceLayout } from '#workers/tensor/sequenceLayout.ts';
import { shuffledSlices } from './shuffledSlices.ts';
import type { BatchSource } from '../trainableNetwork.ts';

/** Texts as numbers of words, none empty, with labels 0 or 1. */
export interface NumberedTexts {
  words: readonly Uint32Array[];
  labels: Uint8Array;
}

/** The chosen texts packed as one batch, in their order. */
export function packTexts({ words, labels }: NumberedTexts, chosen: ArrayLike<number>): TextBatch {
  const texts = Array.from(chosen, (text) => words[text]!);
  const layout = sequenceLayout(texts.map((text) => text.length));
  const packed = new Int32Array(layout.tokens);
  for (const [s, text] of texts.entries()) packed.set(text, layout.offsets[s]!);
  return { words: packed, layout, labels: Float32Array.from(chosen, (text) => labels[text]!) };
}

/** Batches of labelled texts: an epoch visits each text once, in a new order; the last batch has what is left. */
export function textBatches(texts: NumberedTexts, batchSize: number): BatchSource<TextBatch> {
  const count = texts.labels.length;
  return {
    batchesPerEpoch: Math.ceil(count / batchSize),
    sizeOf: ({ labels, layout }) => ({ positions: labels.length, tokens: layout.tokens }),
    *epoch({ order }) {
      for (const chosen of shuffledSlices(count, batchSize, order)) yield packTexts(texts, chosen);
    },
  };
}
