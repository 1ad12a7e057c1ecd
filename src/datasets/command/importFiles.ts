import { resolve } from 'node:path';
import { badInput } from '#src/base/contracts/errors.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { importResultSchema, inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import { ownFolder } from './ownFolder.ts';
import type { ColumnMap } from './parseColumnMap.ts';
import { summaryLines } from './summaryLines.ts';

export interface ImportFlags {
  map?: ColumnMap;
  format?: string;
  header?: boolean;
  separator?: string;
  quotes?: boolean;
  time?: 'none' | 'line';
  timeFormat?: string;
  where?: string;
  encoding?: string;
  member?: string;
  items?: string;
  train?: string;
  valid?: string;
  test?: string;
  lenient?: boolean;
  replace?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** The body of `warren data import`. */
export async function importFiles(
  context: CommandContext,
  { name, files, ...flags }: ImportFlags & { name: string; files: string[] },
): Promise<void> {
  const { terminal } = context;
  const { map, format, items, train, valid, test, replace, dryRun, json, quotes, ...options } = flags;
  const isSplit = train !== undefined || valid !== undefined || test !== undefined;
  if (isSplit && (test === undefined || (train === undefined && files.length === 0))) {
    throw badInput('a split needs both: --train FILE and --test FILE; --valid FILE where there is one', '--test');
  }
  const parts = [
    { part: 'valid', file: valid },
    { part: 'test', file: test },
  ].flatMap(({ part, file }) => (file === undefined ? [] : [{ part, file: resolve(file) }]));
  const request = {
    name,
    files: [...files, ...(train === undefined ? [] : [train])].map((file) => resolve(file)),
    parts,
    folder: ownFolder(context.environment()),
    format: format ?? null,
    options: { ...options, ...(map === undefined ? {} : { mapping: map }), ...(quotes === false ? { quotes } : {}) },
    replace: replace === true,
    dryRun: dryRun === true,
    items: items === undefined ? null : resolve(items),
  };
  const { path, summary } = await inspectNumerics(context, ['import', JSON.stringify(request)], importResultSchema);
  if (json === true) {
    terminal.print(JSON.stringify({ name, path, ...summary }, null, 2));
    return;
  }
  for (const { file, skipped } of summary.files) {
    if (skipped.count === 0) continue;
    terminal.say(`warren: ${file}: ${skipped.count.toLocaleString('en')} lines skipped`);
    for (const { line, reason } of skipped.first) terminal.say(`  ${file}:${line}: ${reason}`);
  }
  for (const line of summaryLines(summary)) terminal.print(line);
  const count = `${name}: ${summary.interactions.toLocaleString('en')} interactions`;
  terminal.print(path === null ? `${count}; nothing was kept (--dry-run)` : `${count}, kept in ${path}`);
  if (path !== null) terminal.print(`Look at it with: warren data show ${name}`);
}
