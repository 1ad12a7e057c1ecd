import { coerceError } from '#src/lib/coerceError.ts';

/** What an error says in one line: Prisma's messages quote the call first and come to the point in the last line. */
export function shortMessage(thrown: unknown): string {
  const { message, name } = coerceError(thrown);
  const lines = message.split('\n').map((line) => line.trim());
  return lines.findLast((line) => line !== '') ?? name;
}
