import { asPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';

export interface CodeOfRun {
  commit: string;
  /** What follows the commit: `, main, with changes`. */
  notes: string;
}

/** The commit of the code that ran, as workers and the clients record it; null where none is known. */
export function codeOfRun(environment: PlainObject): CodeOfRun | null {
  const commit = [environment.codeCommit, environment.commit, asPlainObject(environment.git).commit].find(
    (one) => typeof one === 'string' && one !== '',
  );
  if (typeof commit !== 'string') return null;
  const { codeBranch, codeChanged } = environment;
  // `HEAD` is no branch: a commit was checked out
  const branch = typeof codeBranch === 'string' && !['', 'HEAD'].includes(codeBranch) ? [codeBranch] : [];
  const notes = [...branch, ...(codeChanged === true ? ['with changes'] : [])];
  return { commit, notes: notes.map((note) => `, ${note}`).join('') };
}
