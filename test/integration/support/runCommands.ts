import { builtFile } from '#src/lib/projectRoot.ts';
import { runShell } from './runShell.ts';

/** As `runShell`, for a script of `warren` commands, which skip the look whether the build is up to date. */
export async function runCommands(script: string, variables: Record<string, string>): Promise<string> {
  return await runShell(script.replaceAll('npm run -s warren --', `node '${builtFile('cli.js')}'`), variables);
}
