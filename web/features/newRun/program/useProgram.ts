import { useMemo, useState } from 'react';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { placeholdersOf, type ProgramDraft, type ProgramField, programOf, type ProgramSource } from './programDraft.ts';

export interface ProgramState {
  draft: ProgramDraft;
  source: ProgramSource;
  /** The parameters of the command line, in its order. */
  names: readonly string[];
  change(name: ProgramField, value: string): void;
  setValue(name: string, value: string): void;
}

const NO_SOURCE: ProgramSource = { code: null, folder: '', environment: 'none', origin: {} };
const NO_PROGRAM: ProgramDraft = {
  ...{ line: '', values: {}, gpus: '0', memory: '', cores: '', labels: '', minutes: '', inputs: '' },
};

/** The program of a run as a form changes it. */
export function useProgram(run: Pick<RunDetail, 'queued' | 'needs' | 'environment' | 'inputs'>): ProgramState {
  const start = useMemo(() => programOf(run) ?? { draft: NO_PROGRAM, source: NO_SOURCE }, [run]);
  const [draft, setDraft] = useState(start.draft);
  const names = useMemo(() => placeholdersOf(draft.line), [draft.line]);
  return {
    draft,
    source: start.source,
    names,
    change: (name, value) => setDraft((before) => ({ ...before, [name]: value })),
    setValue: (name, value) => setDraft((before) => ({ ...before, values: { ...before.values, [name]: value } })),
  };
}
