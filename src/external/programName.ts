import { isPlainObject } from '#src/base/lib/plainObject.ts';

/** Programs that execute another one, of which their own name tells nothing. */
const STARTERS: ReadonlySet<string> = new Set(['ipykernel_launcher', 'colab_kernel_launcher', '-c', '-m', '[eval]']);
/** Files that are named by their folder. */
const ENTRIES: ReadonlySet<string> = new Set(['__main__', 'index', 'main']);
const ENDING = /\.(?:py|pyw|ipynb|[cm]?[jt]sx?|jl|r|sh)$/i;
const LONGEST = 200;

/**
 * What a run is called whose program gives it no name: the script's name without its ending, as the recorded environment tells it
 * (`program`: the path of a script or notebook); null where it does not. `train/__main__.py` is `train`, `job/main.py` is `job/main`.
 */
export function programName(environment: unknown): string | null {
  const program = isPlainObject(environment) ? environment.program : null;
  if (typeof program !== 'string') return null;
  const [file = '', folder = ''] = program.split(/[\\/]/).reverse();
  const script = file.replace(ENDING, '').trim();
  if (script === '' || STARTERS.has(script)) return null;
  const isEntry = ENTRIES.has(script) && folder.trim() !== '';
  return (!isEntry ? script : script === '__main__' ? folder.trim() : `${folder.trim()}/${script}`).slice(0, LONGEST);
}
