import { badInput } from '#src/base/contracts/errors.ts';

/** A sweep as people name it: `3`, `#3` or its id. */
export function sweepReference(text: string): string {
  const trimmed = text.trim();
  if (/^#?\d{1,9}$/.test(trimmed)) return trimmed.replace('#', '');
  if (/^[0-9a-f-]{36}$/i.test(trimmed)) return trimmed;
  throw badInput(`"${text}" is not a sweep: give its number, such as 3, or its id; \`warren sweep ls\` lists them`);
}
