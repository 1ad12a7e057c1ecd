/** Whether a column holds numbers and nothing else: its texts that are not empty are such, and there is one. */
export function areNumbers(texts: readonly string[]): boolean {
  const told = texts.filter((text) => text !== '' && text !== '-' && text !== '–');
  return told.length > 0 && told.every((text) => Number.isFinite(Number(text.replace('−', '-'))));
}
