/** A run whose media are shown. */
export interface MediaRun {
  id: string;
  /** What it is called where several are shown side by side. */
  label: string;
}
