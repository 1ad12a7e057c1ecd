// What a terminal would obey rather than show: control characters of C0 and C1, and those that reverse the direction in which
// text is shown.
const CONTROL = '[\\u0000-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
const CONTROLS = new RegExp(CONTROL, 'g');
/** The colours of the command line's own tables. */
const COLOUR = '\\u001b\\[(?:1|2|22|31|32|33|34|36|39)m';
const COLOURS_OR_CONTROLS = new RegExp(`${COLOUR}|${CONTROL}`, 'g');

/** A word or line from outside (a name, a log line) as one line that is safe to print. */
export function printable(text: string): string {
  return text.replace(CONTROLS, (character) => {
    if (character === '\t') return character;
    return character === '\n' || character === '\r' ? ' ' : escaped(character);
  });
}

/**
 * Whole output at the edge of a terminal or file, safe to print: line feeds and tabs stay, and so do colours where they are
 * wanted. What is left is written as `\u001b`, which in JSON means the same character, so that JSON stays what it is.
 */
export function printableLines(text: string, { colours }: { colours: boolean }): string {
  return text.replace(colours ? COLOURS_OR_CONTROLS : CONTROLS, (found) => {
    if (found === '\n' || found === '\t' || found.length > 1) return found;
    return escaped(found);
  });
}

const LINE_BREAKS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A name, or a cell of a table, as one line that shows what is in it: line breaks and tabs as `\n`, `\r` and `\t`. Colors stay. */
export function singleLine(text: string): string {
  return text.replace(COLOURS_OR_CONTROLS, (found) =>
    found.length > 1 ? found : (LINE_BREAKS[found] ?? escaped(found)),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
