import { z } from 'zod';

/** A variable with a text; null where it is missing or blank. */
export const text = z
  .string()
  .optional()
  .transform((value) => (value === undefined || value.trim() === '' ? null : value.trim()));

/** A variable that holds an address with one of these schemes. */
export function address(schemes: string[], example: string) {
  return text.superRefine((value, context) => {
    if (value === null) return;
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : null;
    if (scheme !== null && schemes.includes(scheme)) return;
    context.addIssue({ code: 'custom', message: `expected an address such as ${example}` });
  });
}

/** A variable that holds a whole number in a range, or nothing for the default. */
export function wholeNumber<Fallback extends number | null>(minimum: number, maximum: number, fallback: Fallback) {
  return text.transform((value, context): number | Fallback => {
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number;
    context.addIssue({ code: 'custom', message: `expected a whole number from ${minimum} to ${maximum}` });
    return z.NEVER;
  });
}

/** A variable that turns something on. */
export const flag = text.refine((value) => value === null || value === '0' || value === '1', {
  error: 'expected 1, or 0 for the default',
});
