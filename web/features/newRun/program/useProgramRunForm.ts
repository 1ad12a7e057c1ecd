import { type FormEvent, useState } from 'react';
import { parseSeedList } from '#src/base/lib/seedList.ts';
import { ApiError } from '#web/api/apiError.ts';
import { useEnqueueCommand } from '#web/features/runs/runActions.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { inputReferences } from '../inputLines.ts';
import { checkSettings, type RunSettings, tagsOf } from '../runSettings.ts';
import { useShowQueued } from '../useShowQueued.ts';
import { type ProgramField, programFieldOf, readProgram, readValue } from './programDraft.ts';
import { useProgram } from './useProgram.ts';

/** A program of a run as a form changes and queues it; a field that is changed is no longer marked as wrong. */
export function useProgramRunForm(origin: RunDetail, start: RunSettings) {
  const program = useProgram(origin);
  const [settings, setSettings] = useState(start);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const enqueue = useEnqueueCommand();
  const showQueued = useShowQueued();
  const forget = (name: string) => setErrors(({ [name]: _, ...rest }) => rest);
  const { draft, source, names } = program;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readProgram(draft);
    const seeds = parseSeedList(settings.seeds);
    const found: Record<string, string> = { ...read.errors, ...checkSettings(settings) };
    for (const name of names) {
      if ((draft.values[name] ?? '') === '') found[`parameters.${name}`] = 'It has no value.';
    }
    setFailure(null);
    setErrors(found);
    if ('problem' in seeds || Object.keys(found).length > 0) return;
    const { code, folder, environment, origin: facts } = source;
    enqueue.mutate(
      {
        ...read.fields,
        ...{ code, folder, environment, origin: facts },
        inputs: inputReferences(read.inputs),
        parameters: Object.fromEntries(names.map((name) => [name, readValue(draft.values[name] ?? '')])),
        project: settings.project.trim(),
        seeds: seeds.seeds,
        priority: Number(settings.priority),
        maxAttempts: Number(settings.maxAttempts),
        tags: tagsOf(settings),
        ...(settings.name.trim() === '' ? {} : { name: settings.name.trim() }),
      },
      {
        onSuccess: (runs) => showQueued(runs, settings.project.trim()),
        onError: (error) => {
          const path = error instanceof ApiError ? programFieldOf(error.path) : null;
          if (path === null) setFailure(error.message);
          else setErrors({ [path]: error.message });
        },
      },
    );
  };

  return {
    ...{ draft, source, names, settings, errors, failure, submit },
    isQueuing: enqueue.isPending,
    change: (name: ProgramField, value: string) => {
      program.change(name, value);
      forget(name);
    },
    setValue: (name: string, value: string) => {
      program.setValue(name, value);
      forget(`parameters.${name}`);
    },
    setSetting: (name: keyof RunSettings, value: string) => {
      setSettings((before) => ({ ...before, [name]: value }));
      forget(name);
    },
  };
}
