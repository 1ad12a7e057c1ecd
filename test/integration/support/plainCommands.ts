/** What documents write to call Warren. */
export const WARREN = 'npm run -s warren --';

/** A call of Warren, as a shell would make it. */
export interface PlainCommand {
  /** Set for it alone, or exported before. */
  variables: Record<string, string>;
  /** After `warren`. */
  words: string[];
}

/** Of a word without anything that a shell would do with it: quoted whole or in part, or not at all. */
const WORD = /(?:[^\s'"\\$`|&;<>()*?~{}[\]!#]|(?<=\S)#|'[^']*'|"[^"$`\\!]*")+/y;
const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

/** The calls of a script that does nothing else than to set variables and to call Warren; null where it takes a shell to execute it. */
export function plainCommands(script: string): PlainCommand[] | null {
  const commands: PlainCommand[] = [];
  const exported: Record<string, string> = {};
  for (const line of script.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
    const words = shellWords(line);
    if (words === null) return null;
    if (words[0] === 'export') {
      for (const word of words.slice(1)) {
        const [, name, value] = ASSIGNMENT.exec(word) ?? [];
        if (name === undefined || value === undefined) return null;
        exported[name] = value;
      }
      continue;
    }
    const variables = { ...exported };
    for (let found = ASSIGNMENT.exec(words[0] ?? ''); found !== null; found = ASSIGNMENT.exec(words[0] ?? '')) {
      variables[found[1]!] = found[2]!;
      words.shift();
    }
    if (words.length === 0) continue;
    const call = WARREN.split(' ');
    if (call.some((word, index) => words[index] !== word)) return null;
    commands.push({ variables, words: words.slice(call.length) });
  }
  return commands;
}

/** The words of a line, without a comment at its end; null where a shell would do more with it than to split it. */
function shellWords(line: string): string[] | null {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(line.slice(at))?.[0].length ?? 0;
    if (at === line.length || line[at] === '#') return words;
    WORD.lastIndex = at;
    const [word] = WORD.exec(line) ?? [];
    if (word === undefined || !/^(?:\s|$)/.test(line.slice(at + word.length))) return null;
    words.push(
      word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
    );
    at += word.length;
  }
}
