import type { MetricPointReport } from '#src/base/contracts/reports.ts';

const SAMPLE_MS = 2_000;
const MEGABYTE = 2 ** 20;

/**
 * Samples processor and memory of this process, thread included, every two seconds, at the start and at the end:
 * `system/cpu_percent` (100 is one core) and `system/memory_mb`, with whole seconds since the run's first start as step.
 */
export class SystemSampler {
  private readonly timer: NodeJS.Timeout;
  private lastStep = -1;
  private lastCpu = process.cpuUsage();
  private lastMs = performance.now();

  constructor(
    private readonly startedAtMs: number,
    private readonly push: (report: MetricPointReport) => void,
  ) {
    this.sample();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  stop(): void {
    clearInterval(this.timer);
    this.sample();
  }

  private sample(): void {
    const timeMs = Date.now();
    const step = Math.max(0, Math.floor((timeMs - this.startedAtMs) / 1000));
    if (step <= this.lastStep) return;
    this.lastStep = step;
    const now = performance.now();
    const cpu = process.cpuUsage(this.lastCpu);
    const elapsedMs = now - this.lastMs;
    const percent = elapsedMs < 1 ? 0 : (cpu.user + cpu.system) / 10 / elapsedMs;
    this.lastCpu = process.cpuUsage();
    this.lastMs = now;
    this.push({ type: 'metric', name: 'system/cpu_percent', step, value: Math.round(percent * 10) / 10, timeMs });
    const memory = process.memoryUsage.rss() / MEGABYTE;
    this.push({ type: 'metric', name: 'system/memory_mb', step, value: Math.round(memory * 10) / 10, timeMs });
  }
}
