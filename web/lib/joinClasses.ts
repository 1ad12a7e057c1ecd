/** Class names that hold, joined by blanks. */
export function joinClasses(...names: (string | false | null | undefined)[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ');
}
