import { useMemo, useState } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { useCreateSweep } from '#web/features/sweeps/sweepActions.ts';
import type { ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { asPlainObject, flattenObject, type PlainObject, valueAt } from '#src/base/lib/plainObject.ts';
import { fieldsOfSchema, type SchemaField } from '#web/lib/schemaField.ts';
import { type Drafts, readDrafts } from '#web/features/newRun/drafts.ts';
import { fieldOfPath, readSettings, START_SETTINGS, type SweepSettings } from './sweepSettings.ts';
import { readVariation, startVariation, type Variation } from './variation.ts';

export interface CreatedSweep {
  sweep: { id: string; number: number };
  warnings: string[];
}

export interface SweepFormStart {
  kind: ExperimentKind;
  preset: string | null;
  project: string | undefined;
}

/** State and rules of the form of a sweep over one kind. */
export function useNewSweepForm(
  { kind, preset: startPreset, project }: SweepFormStart,
  onCreated: (made: CreatedSweep) => void,
) {
  const [settings, setSettings] = useState<SweepSettings>({
    ...START_SETTINGS,
    metric: validationMetric(kind.primaryMetric),
    project: project ?? 'default',
  });
  const [presetName, setPresetName] = useState(startPreset);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [variations, setVariations] = useState<readonly Variation[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateSweep();

  const fields = useMemo(() => fieldsOfSchema(kind.parametersSchema, 'parameters.'), [kind]);
  const datasetFields = useMemo(
    () => (kind.datasetSchema === null ? [] : fieldsOfSchema(kind.datasetSchema, 'dataset.')),
    [kind],
  );
  const leaves = useMemo(() => [...fields, ...datasetFields].flatMap(leafFields), [fields, datasetFields]);
  const preset = kind.presets.find((one) => one.name === presetName);
  const base = useMemo(
    (): PlainObject => ({
      parameters: asPlainObject(preset?.parameters),
      dataset: { ...asPlainObject(preset?.selection), ...(preset?.dataset != null && { name: preset.dataset }) },
    }),
    [preset],
  );
  const forget = (path: string) => setErrors(({ [path]: _, parameters: __, ...rest }) => rest);

  const submit = () => {
    const parameters = readDrafts(fields, drafts, base);
    const dataset = readDrafts(datasetFields, drafts, base);
    const read = readSettings(settings);
    const found = { ...parameters.errors, ...dataset.errors, ...read.errors };
    const entries: [string, unknown][] = flattenObject(asPlainObject(parameters.values.parameters)).map(
      ([path, value]) => [path, { value }],
    );
    for (const variation of variations) {
      const one = readVariation(variation);
      if ('message' in one) found[variation.path] = one.message;
      else entries.push([variation.path.replace(/^parameters\./, ''), one.parameter]);
    }
    if (variations.length === 0) found.parameters = 'Choose at least one parameter that the sweep varies.';
    setFailure(null);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const selection = { ...asPlainObject(base.dataset), ...asPlainObject(dataset.values.dataset) };
    const file = {
      ...read.file,
      kind: kind.kind,
      ...(preset === undefined ? {} : { preset: preset.name }),
      ...(Object.keys(selection).length === 0 ? {} : { dataset: selection }),
      parameters: Object.fromEntries(entries),
    };
    const name = settings.name.trim();
    create.mutate(
      { file, project: settings.project.trim() || 'default', ...(name === '' ? {} : { name }) },
      {
        onSuccess: onCreated,
        onError: (error) => {
          const path = error instanceof ApiError ? fieldOfPath(error.path) : null;
          const known =
            path !== null && (path in settings || path === 'parameters' || leaves.some((leaf) => leaf.path === path));
          if (known) setErrors({ [path]: error.message });
          else setFailure(error.message);
        },
      },
    );
  };

  return {
    settings,
    setSetting<Name extends keyof SweepSettings>(name: Name, value: SweepSettings[Name]) {
      setSettings((before) => ({ ...before, [name]: value }));
      forget(name);
    },
    presetName,
    choosePreset(name: string | null) {
      setPresetName(name);
      setDrafts({});
      setErrors({});
    },
    drafts,
    setDraft(path: string, draft: string | null | undefined) {
      setDrafts(({ [path]: _, ...rest }) => (draft === undefined ? rest : { ...rest, [path]: draft }));
      forget(path);
    },
    variations,
    vary(field: SchemaField) {
      setVariations((before) => [...before, startVariation(field, valueAt(base, field.path))]);
      setDrafts(({ [field.path]: _, ...rest }) => rest);
      forget(field.path);
    },
    changeVariation(variation: Variation) {
      setVariations((before) => before.map((one) => (one.path === variation.path ? variation : one)));
      forget(variation.path);
    },
    removeVariation(path: string) {
      setVariations((before) => before.filter((one) => one.path !== path));
      forget(path);
    },
    ...{ fields, datasetFields, leaves, base, errors, failure, pending: create.isPending, submit },
  };
}

export type SweepFormState = ReturnType<typeof useNewSweepForm>;

/** Fields with a value of their own. Of variants: which one, and the fields of all. */
function leafFields(field: SchemaField): SchemaField[] {
  const { control } = field;
  if (control.type === 'group') return control.fields.flatMap(leafFields);
  if (control.type !== 'variants') return [field];
  const options = control.variants.map(({ value }) => value);
  const path = `${field.path}.${control.discriminator}`;
  const variants = control.variants.flatMap(({ fields }) => fields.flatMap(leafFields));
  const once = variants.filter((one, index) => variants.findIndex(({ path: other }) => other === one.path) === index);
  return [{ ...field, path, control: { type: 'choice', options } }, ...once];
}

/** The metric by which a kind is judged, on the validation data: a sweep may not look at the test data. */
function validationMetric(primary: string | null): string {
  return primary === null ? '' : primary.replace(/^test\//, 'valid/');
}
