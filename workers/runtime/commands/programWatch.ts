import { formatBytes } from '#src/base/lib/formatBytes.ts';
import type { ErrorRecord } from '#src/base/contracts/errors.ts';
import type { Report } from '#src/base/contracts/reports.ts';
import { memoryLimitBytes } from '../shared/processMemory.ts';
import { groupUsage } from './groupUsage.ts';

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
