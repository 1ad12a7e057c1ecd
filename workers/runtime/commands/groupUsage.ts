import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

export interface GroupUsage {
  /** Memory in bytes; what processes of the group share counts once. */
  bytes: number;
  /** Processor time of the processes that are there, in seconds. */
  cpuSeconds: number;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Fields of `/proc/<pid>/stat` from the third on; the second, the name, may hold anything. */
function statFields(pid: string): string[] | null {
  const text = readText(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Bytes of a process, its share of what it has in common with others; all of what it has where that is not told. */
function ownBytes(pid: string, residentPages: number): number {
  const share = /^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
  return share === undefined ? residentPages * PAGE_BYTES : Number(share) * 1024;
}

/** What the processes of a group use now; null where the system does not tell, or nothing of the group is left. */
export function groupUsage(group: number): GroupUsage | null {
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return null;
  }
  const members = pids.flatMap((pid) => {
    const fields = statFields(pid);
    return fields !== null && Number(fields[2]) === group ? [{ pid, fields }] : [];
  });
  if (members.length === 0) return null;
  const usage: GroupUsage = { bytes: 0, cpuSeconds: 0 };
  for (const { pid, fields } of members) {
    const residentPages = Number(fields[21] ?? 0);
    usage.bytes += members.length === 1 ? residentPages * PAGE_BYTES : ownBytes(pid, residentPages);
    usage.cpuSeconds += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
  }
  return usage;
}
