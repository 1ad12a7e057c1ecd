/** Kinds of programs of one's own, which need not say how far they are. */
const OWN_PROGRAMS: ReadonlySet<string> = new Set(['external', 'command']);

/** Whether the progress of a run, from 0 to 1, says something: that of a program which never told any is 0. */
export function tellsProgress(run: { progress: number; configuration: { kind: string } }): boolean {
  return run.progress > 0 || !OWN_PROGRAMS.has(run.configuration.kind);
}
