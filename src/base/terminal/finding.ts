/** What the doctor says of one thing. */
export interface Finding {
  /** What was looked at. */
  subject: string;
  /** `ok`; `note` for what is missing but not needed; `broken` for what keeps Warren from working. */
  level: 'ok' | 'note' | 'broken';
  /** What was found. */
  found: string;
  /** What to do about it; absent where nothing is to be done. */
  advice?: string;
}
