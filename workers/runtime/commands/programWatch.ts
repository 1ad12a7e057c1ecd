import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { memoryLimitBytes } from '../shared/processMemory.ts';
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

interface GroupUsage {
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
function groupUsage(group: number): GroupUsage | null {
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

const LOOK_MS = 500;
const MEBIBYTE = 2 ** 20;
/** A program without a limit of its own is ended at this share of the machine's memory, before the system ends something. */
const MACHINE_SHARE = 0.95;

export interface ProgramWatchOptions {
  /** Unix milliseconds of the run's first start, from which the seconds of `system/*` count. */
  startedAtMs: number;
  /** In MiB; null for none. */
  memoryMb: number | null;
  seconds: number | null;
  push(report: Report): void;
  /** Told once, when the program has to end. */
  onExceeded(error: ErrorRecord): void;
}

/** Watches memory and time of a program's process group, and reports `system/memory_mb` and `system/cpu_percent`. */
export class ProgramWatch {
  private readonly timer: NodeJS.Timeout;
  private readonly startedMs = performance.now();
  private lastCpuSeconds = 0;
  private lastMs = performance.now();
  private lastStep = -1;
  private exceeded = false;
  private largest = 0;

  constructor(
    private readonly group: number,
    private readonly options: ProgramWatchOptions,
  ) {
    this.timer = setInterval(() => {
      this.lookAtTime();
      this.look();
    }, LOOK_MS);
  }

  /** The most memory seen, in MiB. */
  get largestMb(): number {
    return Math.round((this.largest / MEBIBYTE) * 10) / 10;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private exceed(error: ErrorRecord): void {
    if (this.exceeded) return;
    this.exceeded = true;
    this.options.onExceeded(error);
  }

  private lookAtTime(): void {
    const { seconds } = this.options;
    if (seconds === null || performance.now() - this.startedMs < 1000 * seconds) return;
    const message = `the time limit of ${spanInWords(seconds)} was reached, and the program was ended`;
    this.exceed({ code: 'TIMED_OUT', message });
  }

  private look(): void {
    const usage = groupUsage(this.group);
    const { startedAtMs, memoryMb, push } = this.options;
    const timeMs = Date.now();
    const step = Math.max(0, Math.floor((timeMs - startedAtMs) / 1000));
    if (usage === null || step === this.lastStep) return;
    this.lastStep = step;
    this.largest = Math.max(this.largest, usage.bytes);
    const now = performance.now();
    const percent = (1e5 * Math.max(0, usage.cpuSeconds - this.lastCpuSeconds)) / (now - this.lastMs);
    this.lastCpuSeconds = usage.cpuSeconds;
    this.lastMs = now;
    const report = (name: string, value: number): void =>
      push({ type: 'metric', name, step, value: Math.round(value * 10) / 10, timeMs });
    report('system/memory_mb', usage.bytes / MEBIBYTE);
    report('system/cpu_percent', percent);
    const limit = memoryMb === null ? MACHINE_SHARE * memoryLimitBytes() : memoryMb * MEBIBYTE;
    if (usage.bytes <= limit) return;
    const whose = memoryMb === null ? 'that the machine has' : 'that it asked for';
    const message = `the program took ${formatBytes(usage.bytes)} of memory, more than the ${formatBytes(limit)} ${whose}, and was ended`;
    this.exceed({ code: 'OUT_OF_MEMORY', message });
  }
}

/** `90 s`, `2 h`, `1 h 30 min`. */
function spanInWords(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : [])).join(' ');
}
