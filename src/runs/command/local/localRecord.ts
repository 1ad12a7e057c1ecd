import type { LogLineReport, Report } from '#src/base/contracts/reports.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';

/** What a local run has told so far. */
export interface LocalRecord {
  /** The value at the greatest step of each series. */
  metrics: ReadonlyMap<string, number>;
  environment: Readonly<Record<string, unknown>>;
  fraction: number;
  message: string;
  artifacts: readonly string[];
}

interface OpenRecord extends LocalRecord {
  metrics: Map<string, number>;
  environment: Record<string, unknown>;
  artifacts: string[];
  steps: Map<string, number>;
}

export interface LocalRecorder {
  readonly record: LocalRecord;
  add(reports: readonly Report[]): void;
}

/** Keeps of a run's reports what a table or a JSON object shows; log lines go to `onLine`. */
export function createLocalRecorder(onLine: (line: LogLineReport) => void): LocalRecorder {
  const record: OpenRecord = {
    metrics: new Map(),
    environment: {},
    fraction: 0,
    message: '',
    artifacts: [],
    steps: new Map(),
  };
  return {
    record,
    add(reports) {
      for (const report of reports) addReport(record, report, onLine);
    },
  };
}

function addReport(record: OpenRecord, report: Report, onLine: (line: LogLineReport) => void): void {
  switch (report.type) {
    case 'metric':
      if (report.step < (record.steps.get(report.name) ?? 0)) return;
      record.steps.set(report.name, report.step);
      record.metrics.set(report.name, report.value);
      return;
    case 'log':
      onLine(report);
      return;
    case 'progress':
      record.fraction = report.fraction;
      record.message = report.message;
      return;
    case 'artifact':
      if (report.role === 'output' && !record.artifacts.includes(report.name)) record.artifacts.push(report.name);
      return;
    case 'environment':
      Object.assign(record.environment, report.values);
      return;
    case 'restart':
      record.metrics.clear();
      record.steps.clear();
      return;
    case 'warning':
      return;
    default:
      assertNever(report);
  }
}
