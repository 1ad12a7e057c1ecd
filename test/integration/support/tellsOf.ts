import type { CrowdedProjects } from './crowdedProjects.ts';
import { SECRET } from './twoProjects.ts';

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32}/g;
/** As the things of `theirs` are numbered. */
const NUMBERS = /(?<![\d.])770[01]\d\d(?![\d.])/g;

/**
 * What an answer tells of the project `theirs` that its request did not say: ids, hashes, numbers, or the secret word; null
 * where it is nothing.
 */
export function tellsOf(answer: string, asked: string, { hidden, theirs }: CrowdedProjects): string | null {
  const sent = Object.values(theirs)
    .map(String)
    .filter((word) => asked.includes(word))
    .toSorted((one, other) => other.length - one.length);
  const left = sent.reduce((text, word) => text.replaceAll(word, '…'), answer);
  const at = left.indexOf(SECRET);
  if (at >= 0) return left.slice(Math.max(0, at - 200), at + 200);
  const ids = (left.match(IDS) ?? []).filter((id) => hidden.has(id) && !asked.includes(id));
  const numbers = (left.match(NUMBERS) ?? []).filter((number) => !asked.includes(number));
  const [told] = [...ids, ...numbers];
  return told === undefined ? null : `${told} in ${left.slice(Math.max(0, left.indexOf(told) - 200)).slice(0, 400)}`;
}
