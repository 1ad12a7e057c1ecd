/** A command as one would type it in a shell: `python train.py --name 'two words'`. */
export function typedCommand(words: readonly unknown[]): string {
  return words.map(typedWord).join(' ');
}

function typedWord(word: unknown): string {
  const text = typeof word === 'string' ? word : (JSON.stringify(word) ?? '');
  return /^[\w@%+=:,./{}-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
