/** `text` with A to Z in lower case and all else as it is: the case folding of Unicode makes a "k" of the Kelvin sign. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
