import { badInput } from '#src/base/contracts/errors.ts';

const NAMES: Readonly<Record<string, string>> = {
  tab: '\t',
  tabs: '\t',
  '\\t': '\t',
  comma: ',',
  semicolon: ';',
  space: ' ',
  blank: ' ',
  bar: '|',
  '\\x01': '\x01',
};

/** The separator of `--separator`: a text, or `tab`, `comma`, `semicolon`, `space`, `bar`. Throws BAD_INPUT for none, line ends and quotes. */
export function parseSeparator(text: string): string {
  const separator = NAMES[text.toLowerCase()] ?? text;
  if (separator === '' || /[\r\n"]/.test(separator)) {
    throw badInput('expected a text that stands between columns, or tab, comma, semicolon, space, bar', '--separator');
  }
  return separator;
}
