import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname, release } from 'node:os';
import { addedKinds } from '#src/catalog/modules/addedContent.ts';
import { type Arithmetic, arithmeticWords } from '#src/base/contracts/arithmetic.ts';
import { leftOutModules } from '#src/base/platform/kindModules/loadedModules.ts';
import type { NewWorker } from '#src/fleet/store/workerRecord.ts';
import { detectBackends } from '#workers/tensor/detectBackends.ts';
import { codeVersion } from './codeVersion.ts';
import { memoryLimitBytes } from '../shared/processMemory.ts';
import { ownPlace } from './processPlace.ts';
import type { WorkingBackend } from './workingBackend.ts';

export interface WorkerSettings {
  slots: number;
  threads: number;
  dataFolders: readonly string[];
  /** `readableDatasets` of the folders. */
  datasets: readonly string[] | null;
  /** What its runs begin with. */
  arithmetic: Arithmetic;
}

/** This process as a worker: a new id at each start, so that what an earlier one held is fenced off. */
export function describeWorker(settings: WorkerSettings, chosen: WorkingBackend): NewWorker {
  const { slots, threads, dataFolders, datasets, arithmetic } = settings;
  const { version, commit } = codeVersion();
  const host = hostname();
  return {
    id: randomUUID(),
    name: `${host}-${process.pid}`,
    host,
    pid: process.pid,
    version,
    backend: chosen.name,
    device: `${chosen.device}${arithmeticWords(arithmetic)}`,
    gpu: chosen.isGpu,
    slots,
    details: {
      commit,
      node: process.version,
      platform: `${process.platform} ${process.arch} ${release()}`,
      cores: availableParallelism(),
      threads,
      memoryMb: Math.round(memoryLimitBytes() / 2 ** 20),
      dataFolders,
      datasets,
      kinds: addedKinds().map(({ definition }) => definition.kind),
      leftOutModules: leftOutModules(),
      backends: detectBackends(),
      arithmetic,
      process: ownPlace(),
    },
  };
}
