import type { CrowdedProjects } from './crowdedProjects.ts';
import { SECRET } from './twoProjects.ts';

const IDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9a-f]{32}/g;
/** As the things of `theirs` are numbered. */
const NUMBERS = /(?<![\d.a-f])770[01]\d\d(?![\d.a-f])/g;

/**
 * The forms in which answers may repeat the texts that a request has stored: as they are, in addresses, and as a report says of
 * `[[run 770002]]` that there is none. Words alone, such as ids, are left out: to repeat them would tell something.
 */
export function storedTexts(variables: unknown): string[] {
  if (typeof variables === 'string') return /^[\w-]+$/.test(variables) ? [] : formsOf(variables);
  return typeof variables === 'object' && variables !== null ? Object.values(variables).flatMap(storedTexts) : [];
}

function formsOf(text: string): string[] {
  const cited = /^\[\[(.*)\]\]$/s.exec(text)?.[1];
  const plain = cited === undefined ? [text] : [text, `${cited} (there is none)`];
  return [
    ...plain.map((form) => JSON.stringify(form).slice(1, -1)),
    new URLSearchParams({ '': text }).toString().slice(1),
  ];
}

/**
 * What an answer tells of the project `theirs` that its request did not say: ids, hashes, numbers, or the secret word; null
 * where it is nothing.
 * @param project.stored Texts that other requests have stored, which are no secret to whom they are shown.
 */
export function tellsOf(
  answer: string,
  asked: string,
  { hidden, theirs, stored = [] }: Pick<CrowdedProjects, 'hidden' | 'theirs'> & { stored?: Iterable<string> },
): string | null {
  const sent = Object.values(theirs)
    .map(String)
    .filter((word) => asked.includes(word))
    .toSorted((one, other) => other.length - one.length);
  const left = [...stored, ...sent].reduce((text, word) => text.replaceAll(word, '…'), answer);
  const at = left.indexOf(SECRET);
  if (at >= 0) return left.slice(Math.max(0, at - 200), at + 200);
  const ids = (left.match(IDS) ?? []).filter((id) => hidden.has(id) && !asked.includes(id));
  const numbers = (left.match(NUMBERS) ?? []).filter((number) => !asked.includes(number));
  const [told] = [...ids, ...numbers];
  return told === undefined ? null : `${told} in ${left.slice(Math.max(0, left.indexOf(told) - 200)).slice(0, 400)}`;
}
