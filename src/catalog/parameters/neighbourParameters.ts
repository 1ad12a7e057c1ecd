import { z } from 'zod';

/** How the neighbours' items become scores: OverRec, Section VI-D2 and Figure 5. */
export const predictionFunction = z.enum([
  'weighted-y',
  'equal-item',
  'weighted-item',
  'weighted-item-author',
  'weighted-item-author-input',
]);

/** What each prediction function does, for the descriptions of parameters. */
export const PREDICTION_DESCRIPTION =
  "How neighbours' items become scores: weighted-y, each neighbour's value goes to its target (Eq. 16); equal-item, to all its items (SkNN); weighted-item, to all its items, falling with their distance from the last item in common (STAN); weighted-item-author, as OverRec's code does it, by that distance alone, shifted by one; weighted-item-author-input, the same over the neighbour's input without its target.";

/** λ_3 of STAN. */
export const itemDecay = z
  .number()
  .positive()
  .max(1e6)
  .default(3)
  .describe(
    "Decay λ3 of the weighted-item predictions, in places. Default 3, as in OverRec's code. More lets items far from the common one count.",
  );

export interface NeighbourParameters {
  neighbours: number;
  prediction: z.output<typeof predictionFunction>;
  duplicateTargets: 'sum' | 'assign';
  maximumLength: number;
}

/** Parameters that SkNN and STAN share; `neighbours` and `prediction` differ by their defaults. */
export const sharedNeighbourParameters = {
  duplicateTargets: z
    .enum(['sum', 'assign'])
    .default('sum')
    .describe(
      "For weighted-y: whether neighbours with one target add up (sum) or only the nearest counts (assign, the authors' code). Default sum.",
    ),
  maximumLength: z
    .int()
    .min(1)
    .max(5000)
    .default(50)
    .describe(
      'Histories and neighbours are cut to their last items, this many, and the target. Default 50. More remembers longer.',
    ),
  itemDecay,
};

/** The parameter `neighbours` with this default. */
export function neighbourCount(initial: number, note: string) {
  return z
    .int()
    .min(1)
    .max(100_000)
    .default(initial)
    .describe(`Neighbours k that vote. Default ${initial}: ${note} More reach more items and dilute the nearest.`);
}
