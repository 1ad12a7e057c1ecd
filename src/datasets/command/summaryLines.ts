import type { ImportSummary } from '#src/base/contracts/importSummary.ts';
import { counted } from '#src/base/terminal/counted.ts';

const count = (value: number): string => value.toLocaleString('en');

function fileLines(file: ImportSummary['files'][number], isOnly: boolean): string[] {
  const { columns, first, span } = file;
  const optional = (what: string, where: string | null): string => (where === null ? `no ${what}` : `${what} ${where}`);
  const rows = [`${count(file.kept)} kept`];
  if (file.leftOut > 0) rows.push(`${count(file.leftOut)} left out by --where`);
  if (file.skipped.count > 0) rows.push(`${count(file.skipped.count)} skipped, since they cannot be read`);
  const interaction = [`user ${first.user}`, `item ${first.item}`];
  if (first.rating !== null) interaction.push(`rating ${first.rating}`);
  if (first.time !== null) interaction.push(`time ${first.time}`);
  const names = [file.file];
  if (file.member !== null) names.push(`of it ${file.member}`);
  if (file.part !== 'train')
    names.push(`to ${file.part === 'test' ? 'test' : 'validate'} on, ${counted(file.users, 'user')}`);
  const times = file.times === null ? 'none: nothing tells the order' : file.times;
  return [
    ...(isOnly && file.member === null ? [] : [`File      ${names.join(', ')}`]),
    `Form      ${file.form}`,
    `Columns   user ${columns.user}, item ${columns.item}, ${optional('time', columns.time)}, ${optional('rating', columns.rating)}`,
    `First     line ${first.line}: ${interaction.join(', ')}`,
    `Times     ${times}${span === null ? '' : `; ${span.from} to ${span.to}`}`,
    `Rows      ${rows.join(', ')}`,
    ...file.notes.map((note) => `Note      ${note}`),
  ];
}

/** What an import understood, for people: a paragraph a file, then the whole. */
export function summaryLines(summary: ImportSummary): string[] {
  const { files, users, items, doubles, greatestUser } = summary;
  const again =
    doubles === 0 ? 'no pair of user and item comes twice' : `in ${count(doubles)} the user has met the item before`;
  return [
    ...files.flatMap((file) => fileLines(file, files.length === 1)),
    `Counted   ${count(users)} users, ${count(items)} items; ${again}; user ${greatestUser.id} has most, ${count(greatestUser.interactions)}`,
  ];
}
