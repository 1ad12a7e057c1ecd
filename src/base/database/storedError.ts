import { shorten } from '#src/base/lib/shorten.ts';
import { databaseText } from './databaseText.ts';

const LONGEST_MESSAGE = 4_000;
const LONGEST_STACK = 8_000;

/** What is kept of an error's message: every list of runs carries it. */
export function storedMessage(message: string): string {
  return databaseText(shorten(message, LONGEST_MESSAGE));
}

/** What is kept of an error's stack: where it began and where it was caught say most. */
export function storedStack(stack: string): string {
  return databaseText(shorten(stack, LONGEST_STACK));
}
