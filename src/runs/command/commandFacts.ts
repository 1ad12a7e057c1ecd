import { ownParameters } from '#src/catalog/commandLine.ts';
import type { PlainObject } from '#src/base/lib/plainObject.ts';

/** What `warren show` says of a run of kind `command`: how its program was queued, and the parameters that are its own. */
export function commandFacts(parameters: PlainObject): { facts: [string, string][]; own: PlainObject } {
  const { command, code, folder, environment } = parameters;
  const line = Array.isArray(command) ? command.map((word) => shellWord(String(word))).join(' ') : '';
  const facts: [string, string][] = [
    ['command', line],
    ['folder', typeof folder === 'string' ? folder : ''],
    ['packages', typeof environment === 'string' && environment !== 'none' ? environment : ''],
    ['code', typeof code === 'string' ? code.slice(0, 12) : ''],
  ];
  return { facts: facts.filter(([, text]) => text !== ''), own: ownParameters(parameters) };
}

/** An argument as a shell takes it: between quotes where it would otherwise be several words, or another one. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
