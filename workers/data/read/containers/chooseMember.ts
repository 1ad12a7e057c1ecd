import { WarrenError } from '#src/base/contracts/errors.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';

/** A file in an archive. */
export interface Member {
  name: string;
  sizeBytes: number;
}

const MOST_SHOWN = 30;
/** What stands beside data, and what systems leave in archives. */
const BESIDE =
  /(^|\/)(\.|__MACOSX\/|(readme|licen[cs]e|license|copying|changelog|citation)([._-][^/]*)?$)|\.(md|pdf|html?|docx?|png|jpe?g|gif|svg|sh|pl|py|ipynb|r|rst|yaml|yml|bib|sha256|md5)$/i;

/**
 * The member that is meant: the one that `asked` names (or its end), or the only one that can be data. Throws DATA_ERROR with all
 * members where several can be, or none.
 */
export function chooseMember(path: string, members: readonly Member[], asked: string | undefined): string {
  const listed = members.slice(0, MOST_SHOWN).map(({ name, sizeBytes }) => `  ${name} (${formatBytes(sizeBytes)})`);
  if (members.length > MOST_SHOWN) listed.push(`  and ${members.length - MOST_SHOWN} more`);
  const refuse = (text: string): WarrenError =>
    new WarrenError('DATA_ERROR', [`${path} ${text}`, ...listed].join('\n'), { path });
  if (asked !== undefined) {
    const exact = members.filter(({ name }) => name === asked);
    const found = exact.length > 0 ? exact : members.filter(({ name }) => name.endsWith(`/${asked}`));
    if (found.length === 1) return found[0]!.name;
    throw refuse(
      found.length === 0 ? `does not hold "${asked}". It holds:` : `holds "${asked}" ${found.length} times:`,
    );
  }
  const data = members.filter(({ name, sizeBytes }) => sizeBytes > 0 && !BESIDE.test(name));
  if (data.length === 1) return data[0]!.name;
  if (members.some(({ name }) => name === 'xl/workbook.xml'))
    throw new WarrenError('DATA_ERROR', `${path} is an Excel file. Save the sheet as CSV`, { path });
  if (data.length > 0 && data.every(({ name }) => name.endsWith('.npy'))) {
    throw new WarrenError(
      'DATA_ERROR',
      `${path} holds NumPy arrays. Write them as a table: CSV, or Parquet by pandas`,
      { path },
    );
  }
  const example = data[0]?.name ?? members[0]?.name;
  if (example === undefined) throw refuse('is an archive without files');
  throw refuse(
    `holds ${data.length === 0 ? 'no table that is known as one' : `${data.length} files`}. Say which is meant, such as --member ${example}. It holds:`,
  );
}
