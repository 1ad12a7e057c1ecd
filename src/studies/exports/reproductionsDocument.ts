import { createHash } from 'node:crypto';
import type { StudyReport } from '../verdicts/studyReport.ts';
import { escaped } from './markdown.ts';
import { claimsText, countsText, verdictText } from './cellText.ts';

/** Of a study in the list of them all. */
type Listed = Pick<StudyReport, 'name' | 'title' | 'source' | 'state' | 'notRunnable'> & {
  paperReference: string;
  cells: readonly Pick<StudyReport['cells'][number], 'verdict'>[];
  claims: readonly Pick<StudyReport['claims'][number], 'verdict'>[];
};

const MARK = 'sha256 of the lines above: ';

const HEAD = `# Reproductions

Tables and figures of the five papers as Warren has run them: what was measured, and what is printed. This page is written by
\`warren reproduce --export docs/reproductions.md\` from finished runs, and never by hand. [Measurements](measurements.md) has what
long runs have shown before, and [errata](errata.md) what is wrong in the papers' texts.

A cell agrees where the whole 95 % interval over its seeds lies inside the study's margin around the printed value. It differs outside
the 95 % prediction interval: by the spread of the authors' own runs where that is known, else by that of ours. All else is undecided: one
seed has no interval, and never agrees. Methods that draw nothing at random agree inside the margin and differ outside. Runs with less training or data than the paper gives are marked as shortened, and decide nothing.

A claim about trained methods is tested by a mixed model of seeds and users, with three seeds of each at least; fewer say "these two trained
models" and decide nothing. Methods without randomness are tested over users, several datasets over pairs of arms. Holm's correction is
over all comparisons that the claims of a study state, whether they have run or not. What Compare calls not comparable, such as ties that decide on
hits, datasets that the paper does not have, and baselines whose own cell differs from the printed one are shown, and decide nothing.

## Run it again

\`\`\`sh run
npm run -s warren -- reproduce overrec/table-2 --rows beauty --columns item-knn
\`\`\`

Finished runs are reused; \`--fresh\` computes anew, \`--audit 5%\` some of them again, and says what differs;
\`--dry-run\` only says what is missing, and how long it takes. \`warren reproduce\` lists all studies, and the dashboard has them under
Reproductions.

The runs behind this page are beside it in \`reproductions.runs.tar.gz\`, with their last and best values and their machine.
\`npm run -s warren -- project import docs/reproductions.runs.tar.gz\` brings them into your Warren, which then computes only what is
missing. \`warren project export reproductions FILE --for-studies\` writes such an archive, with the curves, pictures and users' ranks
that figures and tests read. Runs that an older archive brought have none of these: they need new runs (\`--fresh\`).
\`warren reproduce STUDY --show --export docs/reproductions.md\` writes this one study anew and leaves the others.
`;

/**
 * The document of all studies: a list, then each with finished runs.
 * @param texts Markdown of each study that has begun, by its name.
 */
export function reproductionsDocument(
  studies: readonly Listed[],
  { texts, date }: { texts: ReadonlyMap<string, string>; date: Date },
): string {
  return documentOf(studies, { lines: new Map(studies.map((study) => [study.name, listLine(study)])), texts, date });
}

/**
 * The document with some studies written anew. The others keep section and line, so that they may come from another
 * server, whose runs are not here.
 * @param texts Markdown of the studies that are renewed, by their name.
 * @returns null where the document before was not written by `reproductionsDocument`, or was changed since.
 */
export function renewedDocument(
  before: string,
  studies: readonly Listed[],
  { texts, date }: { texts: ReadonlyMap<string, string>; date: Date },
): string | null {
  if (!isUnchanged(before)) return null;
  const sections = before.slice(0, before.lastIndexOf(`\n<!-- ${MARK}`)).split(/\n(?=## )/);
  const listed = before.split('\n');
  const lines = new Map(
    studies.map((study) => {
      const kept = texts.has(study.name) ? undefined : listed.find((line) => line.startsWith(`| \`${study.name}\` | `));
      return [study.name, kept ?? listLine(study)];
    }),
  );
  const merged = new Map(
    studies.flatMap(({ name }) => {
      const text = texts.get(name) ?? sections.find((section) => section.startsWith(`## ${name}: `));
      return text === undefined ? [] : [[name, text]];
    }),
  );
  return documentOf(studies, { lines, texts: merged, date });
}

function listLine({ name, title, source, state, notRunnable, cells, claims }: Listed): string {
  const columns = [
    `\`${name}\``,
    `${title} (${source})`,
    notRunnable ?? verdictText(state),
    countsText({ cells }) || '–',
    claimsText({ claims }) || '–',
  ];
  return `| ${columns.map(escaped).join(' | ')} |`;
}

function documentOf(
  studies: readonly Listed[],
  { lines, texts, date }: { lines: ReadonlyMap<string, string>; texts: ReadonlyMap<string, string>; date: Date },
): string {
  const papers = [...new Set(studies.map(({ paperReference }) => paperReference))];
  const body = [
    HEAD,
    `## All studies\n\nWritten on ${date.toISOString().slice(0, 10)}.\n`,
    [
      '| study | shows | state | cells | claims |',
      '| --- | --- | --- | --- | --- |',
      ...studies.map(({ name }) => lines.get(name) ?? ''),
      '',
    ].join('\n'),
    ...studies.flatMap(({ name }) => texts.get(name) ?? []),
    `## Papers\n\n${papers.map((paper) => `- ${paper}`).join('\n')}\n`,
  ].join('\n');
  return `${body}\n<!-- ${MARK}${digest(body)} -->\n`;
}

function digest(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Whether a document is as it was written: nobody has changed a number by hand. */
export function isUnchanged(document: string): boolean {
  const end = document.lastIndexOf(`\n<!-- ${MARK}`);
  return end !== -1 && document.slice(end) === `\n<!-- ${MARK}${digest(document.slice(0, end))} -->\n`;
}
