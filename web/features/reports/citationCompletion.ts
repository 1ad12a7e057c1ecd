/** A citation that is being written: what is typed of its last part, from `from` to `to`. */
export interface CitationPlace {
  part: 'word' | 'run' | 'metric';
  typed: string;
  from: number;
  to: number;
}

export interface CitationOption {
  text: string;
  hint: string;
}

/** What citations can name. */
export interface Citable {
  metrics: readonly string[];
  /** The newest runs of the project, the newest first. */
  runs: readonly { number: number; name: string; seed: number }[];
}

/** Metrics or runs that are offered at once. */
const MOST_OFFERED = 50;

const WORDS: readonly CitationOption[] = [
  { text: 'run ', hint: 'one run, or its metric' },
  { text: 'runs ', hint: 'the mean of several runs: 4-6, 9' },
  { text: 'compare ', hint: 'the comparison of runs' },
];

/** The citation in which the caret stands; null where there is none to complete. */
export function citationPlace(text: string, caret: number): CitationPlace | null {
  const line = text.slice(text.lastIndexOf('\n', caret - 1) + 1, caret);
  const open = /\[\[\s*([^[\]]*)$/.exec(line)?.[1];
  if (open === undefined) return null;
  const word = /^[a-z]*$/i.exec(open);
  if (word !== null) return { part: 'word', typed: open, from: caret - open.length, to: caret };
  const run = (/^run\s+([^:,]*)$/i.exec(open) ??
    /^(?:runs|compare)\s+(?:[^:,]*,\s*)*([^:,\s][^:,]*|)$/i.exec(open))?.[1];
  if (run !== undefined) return { part: 'run', typed: run, from: caret - run.length, to: caret };
  const metric = /^runs?\s+[#\d\s,–-]+:\s*(.*)$/i.exec(open)?.[1];
  if (metric === undefined) return null;
  const rest = /^[^[\]\n]*\]\]/.exec(text.slice(caret))?.[0] ?? '';
  return { part: 'metric', typed: metric, from: caret - metric.length, to: caret + rest.length };
}

/** What may stand there: words of citations, numbers of runs by number or name, or metrics that hold what is typed, those that begin with it first. */
export function citationOptions({ part, typed }: CitationPlace, { metrics, runs }: Citable): CitationOption[] {
  const wanted = typed.toLowerCase();
  if (part === 'word') return WORDS.filter(({ text }) => text.startsWith(wanted));
  if (part === 'run') {
    const digits = wanted.replace(/^#/, '');
    return runs
      .filter(({ number, name }) => String(number).startsWith(digits) || name.toLowerCase().includes(wanted))
      .slice(0, MOST_OFFERED)
      .map(({ number, name, seed }) => ({ text: String(number), hint: `${name}, seed ${seed}` }));
  }
  return metrics
    .filter((name) => name.toLowerCase().includes(wanted))
    .map((name) => ({ name, rank: name.toLowerCase().startsWith(wanted) ? 0 : 1 }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_OFFERED)
    .map(({ name }) => ({ text: name, hint: 'metric' }));
}

/** The text with what was chosen, and where the caret then stands: behind the citation when its metric is chosen. */
export function withCitation(
  text: string,
  { part, from, to }: CitationPlace,
  chosen: string,
): { text: string; caret: number } {
  const until = `${text.slice(0, from)}${chosen}${part === 'metric' ? ']]' : ''}`;
  return { text: until + text.slice(to), caret: until.length };
}
