import { expect, it } from 'vitest';
import { codeOfRun } from '#web/features/run/overview/codeOfRun.ts';

const commit = 'd117c11686622e4388872313cb7e59c672320ae8';

it('the overview of a run tells its commit, branch and uncommitted changes, as far as they are known', () => {
  expect(codeOfRun({ codeCommit: commit, codeBranch: 'main', codeChanged: true })).toEqual({
    commit,
    notes: ', main, with changes',
  });
  expect(codeOfRun({ codeCommit: commit, codeBranch: 'HEAD', codeChanged: false })).toEqual({ commit, notes: '' });
  expect(codeOfRun({ commit })).toEqual({ commit, notes: '' });
  expect(codeOfRun({ git: { commit } })).toEqual({ commit, notes: '' });
  expect(codeOfRun({ host: 'one' })).toBeNull();
});
