import MarkdownIt, { type Token } from 'markdown-it';
import { type Citation, citationAt } from './citation.ts';
import { type BlockLanguage, isBlockLanguage, readReportBlock, type ReportBlock } from './reportBlock.ts';

/** Characters of a report. */
export const LONGEST_REPORT = 100_000;
/** Live blocks of one report; what follows says that it is too much. */
export const MOST_BLOCKS = 40;
/** Runs that one report cites. */
export const MOST_CITED = 500;
/** Stands beside a run, or the runs of a mean, that come after so many: a mean of some of them would be another number. */
export const TOO_MANY_CITED = `the report cites more than ${MOST_CITED} runs`;

/** A piece of a report as it is drawn. */
export type ReportNode =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'fence'; text: string }
  | { type: 'break' }
  | { type: 'rule' }
  | { type: 'image'; address: string; label: string }
  | { type: 'citation'; citation: Citation }
  | { type: 'block'; block: FoundBlock }
  | { type: 'element'; tag: ReportTag; children: ReportNode[]; address: string | null; align: string | null };

const TAGS = [
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'em', 'strong', 's', 'a'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
] as const;
export type ReportTag =
  | ('p' | 'h1' | 'h2' | 'h3' | 'h4' | 'h5' | 'h6' | 'ul' | 'ol' | 'li' | 'blockquote' | 'em' | 'strong' | 's' | 'a')
  | ('table' | 'thead' | 'tbody' | 'tr' | 'th' | 'td');

/** A block of what is live, or what is wrong with it. */
export interface FoundBlock {
  language: BlockLanguage;
  block: ReportBlock | { problem: string };
  /** Lines of the report that it takes, from 0: the first, and the one behind the last. */
  lines: readonly [number, number];
  /** Its place among the blocks of the report, from 0. */
  index: number;
}

const CITATION = 'warren_citation';

const markdown = createMarkdown();

function createMarkdown(): MarkdownIt {
  // HTML stays text; addresses that run something (javascript:, data:) make no links
  const made = new MarkdownIt({ html: false, linkify: true });
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  made.inline.ruler.before('link', CITATION, (state, silent) => {
    if (!state.src.startsWith('[[', state.pos)) return false;
    const found = citationAt(state.src.slice(state.pos, state.pos + 500));
    if (found === null) return false;
    if (!silent) state.push(CITATION, '', 0).meta = found.citation;
    state.pos += found.length;
    return true;
  });
  return made;
}

/** The pieces of a report: Markdown with tables, citations and live blocks. HTML in it is text. */
export function readReport(text: string): ReportNode[] {
  return treeOf(markdown.parse(text, {}));
}

/** The live blocks of a report in their order. */
export function blocksOf(text: string): FoundBlock[] {
  const found = markdown.parse(text, {}).flatMap((token) => blockOf(token) ?? []);
  return found.map((one, index) => limited(one, index));
}

/** The citations of a report in their order, also those that stand twice. */
export function citationsOf(text: string): Citation[] {
  const tokens = markdown.parse(text, {}).flatMap((token) => token.children ?? []);
  return tokens.flatMap((token) => (token.type === CITATION ? [citationIn(token)] : []));
}

/** The runs whose names or values citations tell, each once, with the metrics that they tell. */
export function citedRuns(citations: readonly Citation[]): { numbers: number[]; metrics: string[] } {
  const numbers = new Set<number>();
  const metrics = new Set<string>();
  for (const citation of citations) {
    if (citation.type === 'run') numbers.add(citation.number);
    else if (citation.type === 'runs' && citation.metric !== null) for (const one of citation.numbers) numbers.add(one);
    if ('metric' in citation && citation.metric !== null) metrics.add(citation.metric);
  }
  return { numbers: [...numbers], metrics: [...metrics] };
}

/** Lines that are code, from 0: the first and the one behind the last of each piece. */
export function codeLinesOf(text: string): (readonly [number, number])[] {
  return markdown
    .parse(text, {})
    .flatMap(({ type, map }) => ((type === 'fence' || type === 'code_block') && map !== null ? [map] : []));
}

function blockOf({ type, info, content, map }: Token): Omit<FoundBlock, 'index'> | null {
  const language = info.trim();
  if (type !== 'fence' || !isBlockLanguage(language)) return null;
  return { language, block: readReportBlock(language, content), lines: map ?? [0, 0] };
}

function limited(found: Omit<FoundBlock, 'index'>, index: number): FoundBlock {
  if (index < MOST_BLOCKS) return { ...found, index };
  return { ...found, index, block: { problem: `a report has at most ${MOST_BLOCKS} live blocks` } };
}

function citationIn({ meta }: Token): Citation {
  return meta as Citation;
}

function treeOf(tokens: readonly Token[]): ReportNode[] {
  const root: ReportNode[] = [];
  let blocks = 0;
  const into = (siblings: ReportNode[], list: readonly Token[]): void => {
    const open: ReportNode[][] = [siblings];
    for (const token of list) {
      const here = open.at(-1)!;
      if (token.type === 'inline') into(here, token.children ?? []);
      else if (token.nesting === 1) open.push(opened(here, token));
      else if (token.nesting === -1) open.pop();
      else {
        const block = blockOf(token);
        here.push(block === null ? leafOf(token) : { type: 'block', block: limited(block, blocks++) });
      }
    }
  };
  into(root, tokens);
  return root;
}

/** Adds the element that a token opens; answers where what is within it goes. A tight list's paragraphs are none. */
function opened(siblings: ReportNode[], token: Token): ReportNode[] {
  const tag = TAGS.find((one) => one === token.tag);
  if (tag === undefined || token.hidden) return siblings;
  const align = /text-align:(left|right|center)/.exec(token.attrGet('style') ?? '')?.[1] ?? null;
  const children: ReportNode[] = [];
  siblings.push({ type: 'element', tag, children, address: token.attrGet('href'), align });
  return children;
}

function leafOf(token: Token): ReportNode {
  switch (token.type) {
    case 'code_inline':
      return { type: 'code', text: token.content };
    case 'fence':
    case 'code_block':
      return { type: 'fence', text: token.content };
    case 'softbreak':
      return { type: 'text', text: '\n' };
    case 'hardbreak':
      return { type: 'break' };
    case 'hr':
      return { type: 'rule' };
    case 'image':
      return { type: 'image', address: token.attrGet('src') ?? '', label: token.content };
    case CITATION:
      return { type: 'citation', citation: citationIn(token) };
    default:
      return { type: 'text', text: token.content };
  }
}
