/** A part of a version's changes; entries before the first head have a part without a title. */
export interface ChangePart {
  title: string;
  /** Each on one line; code stands between back quotes, as in Markdown. */
  entries: string[];
}

export interface Changes {
  /** A version, or "Unreleased". */
  name: string;
  /** Those that have entries. */
  parts: ChangePart[];
  /** Entries in all. */
  count: number;
  /** Whether there are so few entries that all are shown at first. */
  isShort: boolean;
}

const MOST_OF_SHORT = 12;

/** A section of a changelog, whose name is its first line. */
export function changeParts(section: string): Changes {
  const [name = '', ...lines] = section.split('\n');
  let entries: string[] = [];
  const parts: ChangePart[] = [{ title: '', entries }];
  for (const line of lines) {
    const text = wordsOf(line);
    if (line.startsWith('### ')) {
      entries = [];
      parts.push({ title: text.slice(4), entries });
    } else if (line.startsWith('- ')) {
      entries.push(text.slice(2));
    } else if (text !== '' && entries.length > 0) {
      entries[entries.length - 1] += ` ${text}`;
    }
  }
  const count = parts.reduce((sum, part) => sum + part.entries.length, 0);
  return {
    name: name.trim(),
    parts: parts.filter((part) => part.entries.length > 0),
    count,
    isShort: count <= MOST_OF_SHORT,
  };
}

/** Without the marks of bold words; of links, their words. */
function wordsOf(line: string): string {
  return line
    .trim()
    .replaceAll('**', '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
