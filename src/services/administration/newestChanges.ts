/** Characters: what the page of administrators loads again and again. */
const LONGEST = 60_000;

/**
 * The first section of a changelog that lists anything, with its name in the first line: an empty `## Unreleased` is passed over.
 * Of a section of more than `longest` characters, the entries that fit. Empty where nothing is listed.
 */
export function newestChanges(changelog: string, longest = LONGEST): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => /^- /m.test(text))?.trim() ?? '';
  return section.length <= longest ? section : section.slice(0, Math.max(0, section.lastIndexOf('\n- ', longest)));
}
