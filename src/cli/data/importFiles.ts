import { resolve } from 'node:path';
import type { CommandContext } from '../commandContext.ts';
import { importResultSchema, inspectNumerics } from '../inspectNumerics.ts';
import { ownFolder } from './ownFolder.ts';
import type { ColumnMap } from './parseColumnMap.ts';

export interface ImportFlags {
  map?: ColumnMap;
  items?: string;
  lenient?: boolean;
  replace?: boolean;
}

/** The body of `warren data import`. */
export async function importFiles(
  { terminal, environment }: CommandContext,
  { name, files, map, items, lenient, replace }: ImportFlags & { name: string; files: string[] },
): Promise<void> {
  const request = {
    name,
    files: files.map((file) => resolve(file)),
    folder: ownFolder(environment()),
    mapping: map ?? {},
    lenient: lenient === true,
    replace: replace === true,
    items: items === undefined ? null : resolve(items),
  };
  const { path, interactions, skipped } = await inspectNumerics(
    ['import', JSON.stringify(request)],
    importResultSchema,
  );
  for (const { file, lines } of skipped) {
    terminal.say(`warren: ${file}: ${lines.count.toLocaleString('en')} lines skipped`);
    for (const { line, reason } of lines.first) terminal.say(`  ${file}:${line}: ${reason}`);
  }
  terminal.print(`${name}: ${interactions.toLocaleString('en')} interactions, kept in ${path}`);
  terminal.print(`Look at it with: warren data show ${name}`);
}
