import { z } from 'zod';

/** A number of a column, NaN and infinities among them, which zod's own refuses; whole ones may come as bigint. */
export const columnNumber = z.union([
  z.custom<number>((value) => typeof value === 'number'),
  z.bigint().transform(Number),
]);
