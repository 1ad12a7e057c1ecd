/** What a link shows: runs, a report, or the table of a project. */
export interface SharedThing {
  /** Ids or numbers. */
  runs?: readonly string[];
  /** Id or number. */
  report?: string;
  project?: string;
  filter?: string;
}
