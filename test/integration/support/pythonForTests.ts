import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { type ForkedProgram, forkingPython } from './forkingPython.ts';
import { startShell } from './runShell.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** The client, and what it imports where it is needed first. */
const IMPORTED = ['warren', 'csv', 'encodings.idna', 'importlib.metadata', 'pwd'];

export interface PythonForTests {
  /** The working directory of its programs, where journals are left. */
  folder: string;
  start(script: string, variables?: Readonly<Record<string, string>>): ForkedProgram;
  /** Runs a script to its end and returns what it printed; any other exit code than 0 fails the test. */
  run(script: string, variables?: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * Python with Warren's client, in a folder of this test file alone. Null, with the reason printed, where there is no
 * `python3`; with `CI=true` that is a failure.
 * @param common Environment variables of every program. One with variables for Python itself is started; others are forked off.
 */
export function pythonForTests(common: Readonly<Record<string, string>> = {}): PythonForTests | null {
  if (spawnSync('python3', ['--version']).status !== 0) {
    const reason = 'python3 is not installed: tests of the Python client cannot run';
    if (process.env.CI === 'true') throw new Error(reason);
    console.warn(`skipped: ${reason}`);
    return null;
  }
  const folder = temporaryFolder();
  const PYTHONPATH = join(projectRoot(), 'clients', 'python');
  const start: PythonForTests['start'] = (script, own = {}) => {
    const environment = { PYTHONPATH, WARREN_KEEP_JOURNALS: '0', ...common, ...own };
    if (!Object.keys({ ...common, ...own }).some((name) => name.startsWith('PYTHON'))) {
      return forkingPython('python3', IMPORTED)({ script, arguments: [], folder, environment });
    }
    return startShell('exec python3 -u -c "$SCRIPT"', { ...environment, SCRIPT: script }, folder);
  };
  return {
    folder,
    start,
    run: async (script, variables) => {
      const { code, stdout, stderr } = await start(script, variables).ended;
      if (code !== 0) throw new Error(`exit code ${code} of\n${script}\n${stderr}`);
      return stdout;
    },
  };
}
