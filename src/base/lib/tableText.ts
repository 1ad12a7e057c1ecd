/** A table as text; the columns from `numbersFrom` on stand at the right. */
export interface TextTable {
  heads: readonly string[];
  rows: readonly (readonly TextCell[])[];
  numbersFrom: number;
}

export interface TextCell {
  text: string;
  /** The best of its column, in bold. */
  isBest?: boolean;
}

/** A table in Markdown. */
export function markdownText({ heads, rows, numbersFrom }: TextTable): string {
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rule = heads.map((_, index) => (index < numbersFrom ? '---' : '---:'));
  const cells = rows.map((row) =>
    row.map(({ text, isBest }) => (isBest === true ? `**${escaped(text)}**` : escaped(text))),
  );
  return [heads.map(escaped), rule, ...cells].map((line) => `| ${line.join(' | ')} |\n`).join('');
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '±': '$\\pm$',
  '−': '$-$',
  '∞': '$\\infty$',
  '–': '--',
  '<': '$<$',
  '>': '$>$',
};

/** A table in LaTeX, with the rules of booktabs. */
export function latexText({ heads, rows, numbersFrom }: TextTable): string {
  const escaped = (text: string) =>
    text.replace(/[\\~^±−∞–<>]|[&%$#_{}]/g, (character) => LATEX[character] ?? `\\${character}`);
  const columns = heads.map((_, index) => (index < numbersFrom ? 'l' : 'r')).join('');
  const line = (cells: readonly string[]) => `  ${cells.join(' & ')} \\\\\n`;
  const lines = rows.map((row) =>
    line(row.map(({ text, isBest }) => (isBest === true ? `\\textbf{${escaped(text)}}` : escaped(text)))),
  );
  return `\\begin{tabular}{${columns}}\n  \\toprule\n${line(heads.map(escaped))}  \\midrule\n${lines.join('')}  \\bottomrule\n\\end{tabular}\n`;
}
