/** A report, where it is, and by what it may be read. */
export interface ReportToWrite {
  /** Of the API and the dashboard. */
  url: string;
  token: string | null;
  /** Number or id. */
  id: string;
  /** Null: the newest. */
  version: number | null;
  /** Whether an old version shows today's runs. */
  today: boolean;
}
