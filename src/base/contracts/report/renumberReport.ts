import { type Citation, replaceCitations } from './citation.ts';
import { blocksOf, codeLinesOf } from './readReport.ts';
import { parseRunNumbers } from './runNumbers.ts';

/** A line of a block that names runs by their numbers. */
const NUMBERS = /^([\s>]*)((?:runs|baseline)\s*:\s*)(.*?)(\s*)$/i;

/**
 * A report whose runs have other numbers, as in another database: citations and the lines `runs` and `baseline` of its blocks
 * name them anew. Where a run has none, a citation becomes plain words, a list goes without it, a mean says so, and a block says what
 * it lacks.
 * @param numbers The new number of each run, by the old one.
 */
export function renumberReport(text: string, numbers: ReadonlyMap<number, number>): string {
  const lines = text.split('\n');
  const inCode = new Set<number>();
  for (const [from, to] of codeLinesOf(text)) for (let line = from; line < to; line += 1) inCode.add(line);
  const written = lines.map((line, place) =>
    inCode.has(place) ? line : replaceCitations(line, (citation) => citationOf(citation, numbers)),
  );
  for (const { lines: at } of blocksOf(text)) {
    const [from, to] = at;
    for (let line = from + 1; line < to; line += 1) written[line] = blockLine(lines[line] ?? '', numbers);
  }
  return written.join('\n');
}

function citationOf(citation: Citation, numbers: ReadonlyMap<number, number>): string {
  switch (citation.type) {
    case 'problem':
      return citation.text;
    case 'run': {
      const { number, metric } = citation;
      const now = numbers.get(number);
      const what = metric === null ? '' : `: ${metric}`;
      return now === undefined ? `run ${number}${what} (not in the archive)` : `[[run ${now}${what}]]`;
    }
    case 'runs': {
      const now = known(citation.numbers, numbers);
      const what = citation.metric === null ? '' : `: ${citation.metric}`;
      const gone = citation.numbers.filter((number) => !numbers.has(number));
      // the mean of the others is another number
      const without = gone.length === 0 ? '' : ` (without runs ${gone.join(', ')}, not in the archive)`;
      if (now.length > 0) return `[[runs ${now.join(', ')}${what}]]${without}`;
      return `runs ${citation.numbers.join(', ')}${what} (not in the archive)`;
    }
    case 'comparison': {
      const now = known(citation.numbers, numbers);
      if (now.length > 0) return `[[compare ${now.join(', ')}]]`;
      return `comparison of runs ${citation.numbers.join(', ')} (not in the archive)`;
    }
  }
}

function blockLine(line: string, numbers: ReadonlyMap<number, number>): string {
  const match = NUMBERS.exec(line);
  if (match === null) return line;
  const [, indent = '', key = '', list = '', tail = ''] = match;
  const before = parseRunNumbers(list);
  if ('problem' in before) return line;
  const now = known(before, numbers);
  return now.length > 0
    ? `${indent}${key}${now.join(', ')}${tail}`
    : `${indent}# not in the archive: ${key}${list}${tail}`;
}

function known(before: readonly number[], numbers: ReadonlyMap<number, number>): number[] {
  return before.flatMap((number) => numbers.get(number) ?? []);
}
