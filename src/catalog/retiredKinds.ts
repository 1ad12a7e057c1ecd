/**
 * Kinds that looped over the arms of a study inside one run, and the first of the studies that took their place. Runs of them
 * that were recorded are shown as before; new ones cannot be queued.
 */
const STUDIES_INSTEAD: Readonly<Record<string, readonly [words: string, first: string]>> = {
  'sevo-study': ['the studies sevo/figure-4a to sevo/figure-8, sevo/table-4 and sevo/table-5', 'sevo/figure-4a'],
  'overrec-comparison': ['the study overrec/figure-5', 'overrec/figure-5'],
  'overrec-sensitivity': ['the study overrec/figure-6', 'overrec/figure-6'],
  'rntk-table': ['the studies rntk/table-1, rntk/table-1-kernels and rntk/table-2', 'rntk/table-1-kernels'],
};

/** What to do in place of a kind that is no more; null for names that never were one. */
export function retiredKind(name: string): string | null {
  const instead = new Map(Object.entries(STUDIES_INSTEAD)).get(name);
  if (instead === undefined) return null;
  const [words, first] = instead;
  return `kind "${name}" became ${words}: each arm is a run of its own. Try: warren reproduce ${first}`;
}
