import { warn } from './warn.ts';

const LONGEST_NAME = 200;
const LONGEST_TAG = 100;
const MOST_TAGS = 50;

/** A run's name without blanks around it, cut where it is too long: training does not end because of it. Undefined: none. */
export function runName(name: unknown): string | undefined {
  const text = name === undefined || name === null ? '' : String(name).trim();
  if (text.length > LONGEST_NAME) warn(`init: the name is cut after ${LONGEST_NAME} of ${text.length} characters`);
  return text.slice(0, LONGEST_NAME).trim() || undefined;
}

/** Tags, or the only one, without blanks around them, each once, cut where they are too long; empty ones and those beyond 50 are left out. */
export function runTags(tags: string | Iterable<unknown>): string[] {
  const found = new Set<string>();
  for (const tag of typeof tags === 'string' ? [tags] : tags) {
    const text = String(tag).trim();
    if (text.length > LONGEST_TAG) {
      warn(`init: a tag is cut after ${LONGEST_TAG} of ${text.length} characters: ${text.slice(0, 40)} …`);
    }
    if (text !== '') found.add(text.slice(0, LONGEST_TAG).trim());
  }
  const left = found.size - MOST_TAGS;
  if (left > 0) warn(`init: a run has at most ${MOST_TAGS} tags: the last ${left} are left out`);
  return [...found].slice(0, MOST_TAGS);
}
