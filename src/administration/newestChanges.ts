/** Characters: what the page of administrators loads again and again. */
const LONGEST = 60_000;

/**
 * The first section of a changelog that lists anything, with its name in the first line: an empty `## Unreleased` is passed over.
 * Of a section of more than `longest` characters, the entries that fit, and then one that says so. Empty where nothing is listed.
 */
export function newestChanges(changelog: string, longest = LONGEST): string {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => /^- /m.test(text))?.trim() ?? '';
  if (section.length <= longest) return section;
  const kept = section.slice(0, Math.max(0, section.lastIndexOf('\n- ', longest)));
  const left = entriesOf(section) - entriesOf(kept);
  const [name = ''] = section.split('\n');
  const rest = left === 1 ? 'the last entry is' : `the last ${left} entries are`;
  return `${kept === '' ? name : kept}\n\n### Not shown here\n\n- Of this long list, ${rest} in \`CHANGELOG.md\` beside the programs, under "${name}".`;
}

function entriesOf(section: string): number {
  return section.match(/^- /gm)?.length ?? 0;
}
