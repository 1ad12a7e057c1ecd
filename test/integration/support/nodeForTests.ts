import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { type RunningShell, startShell } from './runShell.ts';
import { temporaryFolder } from './temporaryFolder.ts';

export interface NodeForTests {
  /** The working directory of its programs, where journals are left. */
  folder: string;
  start(script: string, variables?: Readonly<Record<string, string>>): RunningShell;
  /** Runs a script to its end and returns what it printed; any other exit code than 0 fails the test. */
  run(script: string, variables?: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * Node programs with Warren's client as `warren`, in a folder of this test file alone.
 * @param common Environment variables of every program.
 */
export function nodeForTests(common: Readonly<Record<string, string>> = {}): NodeForTests {
  const folder = temporaryFolder();
  const client = join(projectRoot(), 'dist', 'clients', 'warren.mjs');
  const start: NodeForTests['start'] = (script, variables = {}) =>
    startShell(
      'exec node --input-type=module -e "$SCRIPT"',
      { WARREN_KEEP_JOURNALS: '0', ...common, ...variables, SCRIPT: `import * as warren from '${client}';\n${script}` },
      folder,
    );
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
