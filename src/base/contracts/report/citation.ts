import { parseRunNumbers } from './runNumbers.ts';

/**
 * A run, several, or a comparison of runs, cited in a sentence: `[[run 12]]`, `[[run 12: test/mrr]]`, `[[runs 4-6: test/mrr]]`,
 * `[[compare 12, 14]]`.
 */
export type Citation =
  | { type: 'run'; number: number; metric: string | null }
  | { type: 'runs'; numbers: readonly number[]; metric: string | null }
  | { type: 'comparison'; numbers: readonly number[] }
  | { type: 'problem'; text: string; problem: string };

const AT_START = /^\[\[\s*(runs?|compare|comparison)\s+([^[\]\n]{1,400})\]\]/i;
/** A piece of code of a line, which cites nothing, or a citation. */
const WITHIN = /(`+)(?:(?!\1)[^\n])*\1|\[\[\s*(?:runs?|compare|comparison)\s+[^[\]\n]{1,400}\]\]/gi;

const HOW =
  'a run is cited as [[run 12]], its metric as [[run 12: test/mrr]], the mean of several as [[runs 4-6: test/mrr]]';

/** The citation at the start of a text, with its length; null where there is none. */
export function citationAt(text: string): { citation: Citation; length: number } | null {
  const match = AT_START.exec(text);
  if (match === null) return null;
  return { citation: citationOf(match[0], match[1]!.toLowerCase(), match[2]!.trim()), length: match[0].length };
}

/** The text of a line with each citation, but not in code, as `write` writes it. */
export function replaceCitations(line: string, write: (citation: Citation) => string): string {
  return line.replace(WITHIN, (found) => {
    const at = found.startsWith('`') ? null : citationAt(found);
    return at === null ? found : write(at.citation);
  });
}

function citationOf(text: string, word: string, rest: string): Citation {
  if (word === 'run' || word === 'runs') {
    const [, list = '', metric = null] = /^([#\d\s,–-]+)(?::\s*(\S.*))?$/.exec(rest) ?? [];
    const numbers = parseRunNumbers(list);
    if (list === '' || (metric === null && rest.includes(':'))) return { type: 'problem', text, problem: HOW };
    if ('problem' in numbers) return { type: 'problem', text, problem: numbers.problem };
    const [number] = numbers;
    return number !== undefined && numbers.length === 1 && word === 'run'
      ? { type: 'run', number, metric }
      : { type: 'runs', numbers, metric };
  }
  const numbers = parseRunNumbers(rest);
  return 'problem' in numbers ? { type: 'problem', text, problem: numbers.problem } : { type: 'comparison', numbers };
}
