import { useState } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { useCreateSweep } from '#web/features/sweeps/sweepActions.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import type { SchemaField } from '#web/lib/schemaField.ts';
import {
  type ProgramField,
  programFieldOf,
  readProgram,
  readValue,
} from '#web/features/newRun/program/programDraft.ts';
import { useProgram } from '#web/features/newRun/program/useProgram.ts';
import { fieldOfPath, readSettings, START_SETTINGS, type SweepSettings } from './sweepSettings.ts';
import type { CreatedSweep } from './useNewSweepForm.ts';
import { readVariation, startVariation, type Variation } from './variation.ts';

/** State and rules of the form of a sweep over the program of a run. */
export function useProgramSweep(run: RunDetail, onCreated: (made: CreatedSweep) => void) {
  const program = useProgram(run);
  const [settings, setSettings] = useState<SweepSettings>({ ...START_SETTINGS, project: run.project.name });
  const [all, setVariations] = useState<readonly Variation[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateSweep();
  const forget = (path: string) => setErrors(({ [path]: _, parameters: __, ...rest }) => rest);
  // a name may go from the command line and come back
  const variations = all.filter(({ path }) => program.names.includes(path.slice('parameters.'.length)));

  const submit = () => {
    const line = readProgram(program.draft);
    const search = readSettings(settings);
    const found: Record<string, string> = { ...line.errors, ...search.errors };
    const parameters: Record<string, unknown> = {};
    for (const name of program.names) {
      const path = `parameters.${name}`;
      const variation = variations.find((one) => one.path === path);
      const text = program.draft.values[name] ?? '';
      const read = variation === undefined ? { parameter: { value: readValue(text) } } : readVariation(variation);
      if ('message' in read) found[path] = read.message;
      else if (variation === undefined && text === '') found[path] = 'It has no value: give it one, or vary it.';
      else parameters[name] = read.parameter;
    }
    if (variations.length === 0) found.parameters = 'Choose at least one parameter that the sweep varies.';
    setFailure(null);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const name = settings.name.trim();
    create.mutate(
      {
        file: { ...search.file, ...line.fields, ...program.source, parameters, inputs: line.inputs },
        project: settings.project.trim() || 'default',
        ...(name === '' ? {} : { name }),
      },
      {
        onSuccess: onCreated,
        onError: (error) => {
          const given = error instanceof ApiError ? error.path : null;
          const path = programFieldOf(given) ?? fieldOfPath(given);
          if (path === null) setFailure(error.message);
          else setErrors({ [path.replace(/\.when$/, '')]: error.message });
        },
      },
    );
  };

  return {
    program,
    changeProgram(name: ProgramField, value: string) {
      program.change(name, value);
      forget(name);
    },
    settings,
    setSetting<Name extends keyof SweepSettings>(name: Name, value: SweepSettings[Name]) {
      setSettings((before) => ({ ...before, [name]: value }));
      forget(name);
    },
    variations,
    vary(name: string) {
      const held = readValue(program.draft.values[name] ?? '');
      const started = startVariation(parameterField(name, held), held === '' ? undefined : held);
      setVariations((before) => [...before.filter(({ path }) => path !== started.path), started]);
      forget(started.path);
    },
    changeVariation(variation: Variation) {
      setVariations((before) => before.map((one) => (one.path === variation.path ? variation : one)));
      forget(variation.path);
    },
    removeVariation(path: string) {
      setVariations((before) => before.filter((one) => one.path !== path));
      forget(path);
    },
    ...{ errors, forget, failure, pending: create.isPending, submit },
  };
}

export type ProgramSweepState = ReturnType<typeof useProgramSweep>;

/** A parameter of a command, of which only the name is known, as the rows of a sweep take it. */
export function parameterField(name: string, held?: unknown): SchemaField {
  const limits = { integer: Number.isInteger(held), minimum: null, maximum: null };
  const number = { type: 'number', ...limits, exclusiveMinimum: null, exclusiveMaximum: null } as const;
  return {
    ...{ path: `parameters.${name}`, name, title: name, description: '', nullable: false, defaultValue: undefined },
    control: held === undefined || held === '' || typeof held === 'number' ? number : { type: 'text', pattern: null },
  };
}
