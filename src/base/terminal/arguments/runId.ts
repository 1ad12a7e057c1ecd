import { badInput } from '#src/base/contracts/errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text may name a run. */
export function isRunId(text: string): boolean {
  return /^#?\d{1,10}$/.test(text.trim()) || UUID.test(text.trim());
}

/** A run as people name it: `12`, `#12` or its id. */
export function parseRunId(text: string): string {
  const trimmed = text.trim();
  const number = /^#?(\d{1,10})$/.exec(trimmed)?.[1];
  if (number !== undefined) return number;
  if (UUID.test(trimmed)) return trimmed.toLowerCase();
  throw badInput(`"${text}" is not a run: give its number, such as 12, or its id; \`warren ls\` shows them`);
}
