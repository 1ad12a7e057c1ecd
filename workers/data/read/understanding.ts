/** What a reader took a file for: shown after an import, and kept beside the dataset. */
export interface Understanding {
  /** The form in words: `a table, separated by tabs`. */
  form: string;
  /** Where each thing was found, in words: `user_id (column 1)`. */
  columns: { user: string; item: string; time: string | null; rating: string | null };
  /** Line of the first interaction. */
  firstLine: number;
  /** How the times are written, in words; null where there are none. */
  times: string | null;
  /** How many numbers of `Interactions.times` make a second; null where they only tell an order. */
  perSecond: number | null;
  /** Rows that a condition left out. */
  leftOut: number;
  /** What a person should know before relying on it. */
  notes: string[];
}

/** An id that takes more than this share of all rows hardly stands for one user or one item. */
const GREATEST_SHARE = 0.1;
const FEWEST_ROWS = 100;

/** What to say where one user or item has more than a tenth of all rows; null where none has. */
export function greatestShare(what: 'user' | 'item', numbers: Uint32Array, ids: readonly string[]): string | null {
  if (numbers.length < FEWEST_ROWS) return null;
  const counts = new Uint32Array(ids.length);
  for (const number of numbers) counts[number]!++;
  let greatest = 0;
  for (let id = 1; id < counts.length; id++) if (counts[id]! > counts[greatest]!) greatest = id;
  const share = counts[greatest]! / numbers.length;
  // of a few users each has much
  if (share <= GREATEST_SHARE || share * ids.length < 5) return null;
  return `the ${what} ${JSON.stringify(ids[greatest])} has ${(100 * share).toFixed(0)} % of all rows: is it a mark for a missing ${what}? Leave it out with --where`;
}
