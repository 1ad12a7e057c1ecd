import { useMemo, useState } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { useEnqueueRuns } from '#web/features/runs/runActions.ts';
import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { parseSeedList } from '#src/base/lib/seedList.ts';
import { asPlainObject, isPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import { fieldsOfSchema } from '#web/lib/schemaField.ts';
import { type Drafts, readDrafts } from './drafts.ts';
import { inputReferences, readInputs } from './inputLines.ts';
import { checkSettings, type RunSettings, tagsOf } from './runSettings.ts';
import type { EnqueuedRun } from './useShowQueued.ts';

export interface FormStart {
  kind: ExperimentKind;
  preset: string | null;
  /** Values to begin with, instead of a preset's: those of an earlier run. */
  parameters: PlainObject | null;
  dataset: PlainObject | null;
  /** Lines of `inputLines`. */
  inputs: string;
  settings: RunSettings;
}

/** State and rules of the form for one kind. Values are preset over defaults; only what differs from them is sent. */
export function useNewRunForm(start: FormStart, onQueued: (runs: readonly EnqueuedRun[], project: string) => void) {
  const { kind } = start;
  const [settings, setSettings] = useState(start.settings);
  const [inputs, setInputs] = useState(start.inputs);
  const [presetName, setPresetName] = useState(start.preset);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const enqueue = useEnqueueRuns();

  const fields = useMemo(() => fieldsOfSchema(kind.parametersSchema, 'parameters.'), [kind]);
  const datasetFields = useMemo(
    () => (kind.datasetSchema === null ? [] : fieldsOfSchema(kind.datasetSchema, 'dataset.')),
    [kind],
  );
  const preset = kind.presets.find((one) => one.name === presetName);
  const base = useMemo(
    (): PlainObject => ({
      parameters: preset === undefined ? (start.parameters ?? {}) : asPlainObject(preset.parameters),
      dataset:
        preset === undefined
          ? (start.dataset ?? {})
          : { ...asPlainObject(preset.selection), ...(preset.dataset !== null && { name: preset.dataset }) },
    }),
    [preset, start],
  );

  const setDraft = (path: string, draft: string | null | undefined) => {
    setDrafts((before) => {
      const { [path]: _, ...rest } = before;
      return draft === undefined ? rest : { ...rest, [path]: draft };
    });
    setErrors(({ [path]: _, ...rest }) => rest);
  };
  const setSetting = (name: keyof RunSettings, value: string) => {
    setSettings((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, ...rest }) => rest);
  };

  const changeInputs = (value: string) => {
    setInputs(value);
    setErrors(({ inputs: _, ...rest }) => rest);
  };

  const submit = () => {
    const parameters = readDrafts(fields, drafts, base);
    const dataset = readDrafts(datasetFields, drafts, base);
    const seeds = parseSeedList(settings.seeds);
    const files = readInputs(inputs);
    const found = {
      ...{ ...parameters.errors, ...dataset.errors, ...checkSettings(settings) },
      ...(files.problem === null ? {} : { inputs: files.problem }),
    };
    setFailure(null);
    setErrors(found);
    if ('problem' in seeds || Object.keys(found).length > 0) return;
    enqueue.mutate(
      {
        kind: kind.kind,
        project: settings.project.trim(),
        ...(preset === undefined ? {} : { preset: preset.name }),
        parameters: mergeOver(preset === undefined ? base.parameters : {}, parameters.values.parameters),
        ...(datasetFields.length === 0 ? {} : { dataset: mergeOver(base.dataset, dataset.values.dataset) }),
        seeds: seeds.seeds,
        inputs: inputReferences(Object.fromEntries(files.inputs)),
        priority: Number(settings.priority),
        maxAttempts: Number(settings.maxAttempts),
        tags: tagsOf(settings),
        ...(settings.name.trim() === '' ? {} : { name: settings.name.trim() }),
      },
      {
        onSuccess: (runs) => onQueued(runs, settings.project.trim()),
        onError: (error) => {
          const path = error instanceof ApiError ? fieldPath(error.path) : null;
          if (path === null) setFailure(error.message);
          else setErrors({ [path]: error.message });
        },
      },
    );
  };

  return {
    settings,
    setSetting,
    inputs,
    changeInputs,
    presetName,
    choosePreset: (name: string | null) => {
      setPresetName(name);
      setDrafts({});
      setErrors({});
    },
    drafts,
    setDraft,
    fields,
    datasetFields,
    base,
    errors,
    failure,
    pending: enqueue.isPending,
    submit,
  };
}

/** The API's `input.parameters.x[0]` as the form names its fields: `parameters.x`. */
function fieldPath(path: string | null): string | null {
  if (path === null) return null;
  return path.replace(/^input\./, '').replace(/\[.*$/, '');
}

/** Objects merged deep, the second over the first. */
function mergeOver(under: unknown, over: unknown): unknown {
  if (!isPlainObject(over)) return over === undefined ? under : over;
  const merged: Record<string, unknown> = { ...asPlainObject(under) };
  for (const [name, value] of Object.entries(over)) merged[name] = mergeOver(merged[name], value);
  return merged;
}
