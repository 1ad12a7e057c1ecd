import { readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  pid: number;
  command: string;
}

/** Living processes that belong to a Warren home: by their environment (WARREN_HOME) or their command line. Linux only. */
export function processesOf(home: string): FoundProcess[] {
  const found: FoundProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      const isZombie = command === '';
      if (!isZombie && (command.includes(home) || environment.includes(`WARREN_HOME=${home}`))) {
        found.push({ pid: Number(name), command });
      }
    } catch {
      // it ended meanwhile, or belongs to somebody else
    }
  }
  return found;
}

/** Process ids of the programs of a home whose command line has `part`, such as `dist/worker.js`. */
export function pidsOf(home: string, part: string): number[] {
  return processesOf(home).flatMap(({ pid, command }) => (command.includes(part) ? [pid] : []));
}
