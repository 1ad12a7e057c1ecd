/** Tells the user something, on stderr or the page's console. */
export function warn(message: string): void {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  // a thread's own stderr is printed by the main thread, which may be ending
  if (fs) fs.writeSync(2, `warren: ${message}\n`);
  else console.warn(`warren: ${message}`);
}

const told = new Set<string>();

/** Warns, unless the same was said before. */
export function warnOnce(message: string): void {
  if (told.has(message)) return;
  told.add(message);
  warn(message);
}
