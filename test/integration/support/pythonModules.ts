import { spawnSync } from 'node:child_process';

const LOOKED_UP = `
import importlib.util, sys
def is_there(name):
    try: return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError: return False
sys.exit(not all(map(is_there, sys.argv[1:])))
`;

/** Whether a Python has modules: they are looked up, not imported, which takes some of them seconds. */
export function hasModules(python: string, modules: readonly string[]): boolean {
  return spawnSync(python, ['-c', LOOKED_UP, ...modules]).status === 0;
}
