/** How programs write that there is no value: pandas, R, SQL dumps, Ruby, spreadsheets. */
const MISSING = /^(na|n\/a|#n\/a|#na|<na>|nan|-nan|null|\(null\)|none|nil|undefined|\\n|nat)?$/i;

/** Whether a text is one of the spellings of a missing value, or blank. */
export function isMissing(text: string): boolean {
  return MISSING.test(text.trim());
}
