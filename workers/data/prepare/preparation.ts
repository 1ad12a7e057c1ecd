import { z } from 'zod';

const countsSchema = z.object({ users: z.int(), items: z.int(), interactions: z.int() });

/** What reading and preprocessing met and did, in the order of the steps: recorded with the run. */
export const preparationSchema = z.object({
  /** As the file has them, bad lines left out. */
  read: countsSchema,
  skippedLines: z
    .object({ count: z.int(), first: z.array(z.object({ line: z.int(), reason: z.string() })) })
    .nullable(),
  /** Interactions removed by `minimumRating`, those without a rating included. */
  belowMinimumRating: z.int(),
  /** Interactions removed by `duplicates`. */
  duplicatesRemoved: z.int(),
  /** Removed by `core`. */
  belowCore: countsSchema,
  /** Interactions removed by `maximumLength`. */
  cutByLength: z.int(),
  /** Interactions that remain whose user has met the item before. */
  repeats: z.int(),
  /** Users with one interaction. */
  singleItemUsers: z.int(),
  /** Users whose lines were not in order of time: they were sorted. */
  unsortedUsers: z.int(),
  /**
   * What remains and shares its time with another interaction of the same user, so that their order is only that of the
   * file; `lastItems` counts users whose last interaction, the one leave-one-out tests on, is among them. Null without times.
   */
  ties: z.object({ interactions: z.int(), users: z.int(), lastItems: z.int() }).nullable(),
});
export type Preparation = z.infer<typeof preparationSchema>;
