import type { CellReport, CellVerdict, StudyReport } from '../verdicts/studyReport.ts';
import { cellsByPlace, measuredText, printedText } from './cellText.ts';

const MARKS: Readonly<Record<CellVerdict, string>> = {
  AGREES: '',
  DIFFERS: '$^{\\ast}$',
  UNDECIDED: '$^{?}$',
  SHORTENED: '$^{\\dagger}$',
  NOT_PRINTED: '',
  NOT_RUN: '',
  NOT_RUNNABLE: '',
};

const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '±': '$\\pm$',
  '×': '$\\times$',
  '−': '$-$',
  '–': '--',
  '²': '$^2$',
  '⁴': '$^4$',
  α: '$\\alpha$',
  β: '$\\beta$',
  σ: '$\\sigma$',
  φ: '$\\varphi$',
  ε: '$\\varepsilon$',
  λ: '$\\lambda$',
  δ: '$\\delta$',
  '√': '$\\surd$',
  ᵀ: '$^\\top$',
  '▲': '$\\blacktriangle$',
  ...Object.fromEntries([...'₀₁₂₃₄₅₆₇₈₉'].map((digit, value) => [digit, `$_${value}$`])),
};

/** Text for LaTeX: what means something there is written out. */
export function latexText(text: string): string {
  return [...text]
    .map((character) => SPECIAL[character] ?? (/[&%$#_{}]/.test(character) ? `\\${character}` : character))
    .join('');
}

/** The table of a study for LaTeX, with the packages `booktabs` and `amssymb`; the printed numbers stand in brackets. */
export function studyLatex(report: StudyReport): string {
  const { name, title, source, rows, columns, unit } = report;
  const cellAt = cellsByPlace(report);
  const lines: string[] = [];
  let group = '';
  for (const row of rows) {
    if (row.group !== group) {
      if (lines.length > 0) lines.push('\\midrule');
      if (row.group !== '') lines.push(`\\multicolumn{${columns.length + 1}}{l}{${latexText(row.group)}} \\\\`);
      group = row.group;
    }
    lines.push(`${[latexText(row.label), ...columns.map((column) => cellText(cellAt(row, column)))].join(' & ')} \\\\`);
  }
  const note =
    'Measured, mean $\\pm$ s.d. (seeds), and the printed value in brackets; $^{\\ast}$ differs, $^{?}$ undecided, $^{\\dagger}$ shortened';
  const inUnit = unit === '' ? '' : ` (${latexText(unit)})`;
  return [
    `% ${name}, ${source}; needs \\usepackage{booktabs,amssymb}`,
    '\\begin{table}',
    '\\centering',
    `\\caption{${latexText(title)}${inUnit}. ${note}.}`,
    `\\label{tab:${name.replace('/', '-')}}`,
    `\\begin{tabular}{l${'r'.repeat(columns.length)}}`,
    '\\toprule',
    ...columnGroups(columns),
    `${['', ...columns.map(({ label }) => latexText(label))].join(' & ')} \\\\`,
    '\\midrule',
    ...lines,
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

/** A line of what neighboring columns have in common, with rules under it. */
function columnGroups(columns: StudyReport['columns']): string[] {
  if (columns.every(({ group }) => group === '')) return [];
  const spans: { group: string; from: number; count: number }[] = [];
  for (const [index, { group }] of columns.entries()) {
    const last = spans.at(-1);
    if (last?.group === group) last.count += 1;
    else spans.push({ group, from: index + 2, count: 1 });
  }
  const cells = spans.map(({ group, count }) => `\\multicolumn{${count}}{c}{${latexText(group)}}`);
  const rules = spans
    .filter(({ group }) => group !== '')
    .map(({ from, count }) => `\\cmidrule(lr){${from}-${from + count - 1}}`);
  return [`${['', ...cells].join(' & ')} \\\\`, rules.join(' ')];
}

function cellText(cell: CellReport | null): string {
  if (cell === null) return '';
  const printed = printedText(cell, '$\\pm$');
  const measured = measuredText(cell, '$\\pm$');
  const brackets = printed === '' ? '' : ` [${printed}]`;
  const text = measured === '' ? `--${brackets}` : `${measured}${MARKS[cell.verdict]}${brackets}`;
  return text.replaceAll('−', '$-$');
}
