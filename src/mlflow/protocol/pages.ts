import { z } from 'zod';
import { badInput } from '#src/base/contracts/errors.ts';

const tokenSchema = z.object({ offset: z.number().int().positive() });

/** How many results come before the page that a token names. @throws WarrenError BAD_INPUT. */
export function offsetOf(pageToken: string | undefined): number {
  if (pageToken === undefined || pageToken === '') return 0;
  try {
    return tokenSchema.parse(JSON.parse(Buffer.from(pageToken, 'base64').toString('utf8'))).offset;
  } catch {
    throw badInput('Invalid page token, could not base64-decode', 'page_token');
  }
}

/** A token for the page after so many results. */
export function pageToken(offset: number): string {
  return Buffer.from(`{"offset": ${offset}}`).toString('base64');
}

/** @throws WarrenError BAD_INPUT unless a page may have so many results. */
export function checkPageSize(size: number, most: number): number {
  const start = `Invalid value ${size} for parameter 'max_results' supplied.`;
  if (size < 1) throw badInput(`${start} It must be a positive integer`, 'max_results');
  if (size > most) throw badInput(`${start} It must be at most ${most}`, 'max_results');
  return size;
}
