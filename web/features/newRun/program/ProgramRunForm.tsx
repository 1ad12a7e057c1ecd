import { Link } from '@tanstack/react-router';
import { useRef, type FormEvent, useState } from 'react';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { InputFiles } from '../InputFiles.tsx';
import { QueueFields, submitLabel } from '../QueueFields.tsx';
import { type RunSettings, checkSettings, tagsOf } from '../runSettings.ts';
import { WrongFields } from '../WrongFields.tsx';
import { ProgramLine, ProgramNeeds } from './ProgramFields.tsx';
import { SettingInput } from '../SettingInput.tsx';
import { type ProgramDraft, type ProgramField, programFieldOf, readProgram, readValue } from './programDraft.ts';
import { parseSeedList } from '#src/base/lib/seedList.ts';
import { ApiError } from '#web/api/apiError.ts';
import { useEnqueueCommand } from '#web/features/runs/runActions.ts';
import { inputReferences } from '../inputLines.ts';
import { useShowQueued } from '../useShowQueued.ts';
import { useProgram } from './useProgram.ts';

/** A program of a run as a form changes and queues it; a field that is changed is no longer marked as wrong. */
function useProgramRunForm(origin: RunDetail, start: RunSettings) {
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

interface ProgramParametersProps {
  /** The placeholders of the command line, in its order. */
  names: readonly string[];
  values: ProgramDraft['values'];
  errors: Readonly<Record<string, string>>;
  onValue(name: string, value: string): void;
}

/** A field for each placeholder of the command line. */
function ProgramParameters({ names, values, errors, onValue }: ProgramParametersProps) {
  if (names.length === 0) return null;
  return (
    <fieldset className="panel new-run-part">
      <legend>Parameters</legend>
      <div className="schema-fields">
        {names.map((name) => (
          <SettingInput
            key={name}
            label={name}
            hint={`Fills {${name}}.`}
            value={values[name] ?? ''}
            error={errors[`parameters.${name}`]}
            onChange={(value) => onValue(name, value)}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Queues the program of an earlier run again, with other arguments, values, seeds or needs, on the same code. */
export function ProgramRunForm({ origin, start }: { origin: RunDetail; start: RunSettings }) {
  const mayWrite = useMayWrite();
  const form = useRef<HTMLFormElement>(null);
  const { draft, source, names, settings, errors, failure, ...program } = useProgramRunForm(origin, start);
  return (
    <form className="new-run-form" ref={form} noValidate onSubmit={program.submit}>
      <div className="new-run-main">
        <p>
          Begins with the program of run #{origin.number}, {origin.name}. To try many values,{' '}
          <Link to="/sweeps/new" search={{ from: 'program', run: String(origin.number) }}>
            sweep over it
          </Link>
          .
        </p>
        <ProgramLine {...{ draft, source, errors }} onChange={program.change} />
        <ProgramParameters {...{ names, errors }} values={draft.values} onValue={program.setValue} />
        <InputFiles
          value={draft.inputs}
          error={errors.inputs}
          hint="The program finds them in WARREN_INPUT_DIR."
          onChange={(value) => program.change('inputs', value)}
        />
      </div>
      <div className="new-run-side">
        <ProgramNeeds {...{ draft, errors }} onChange={program.change} />
        <QueueFields
          {...{ settings, errors }}
          nameHint="Left empty, it is made from the command."
          setSetting={program.setSetting}
        />
        {failure !== null && <ErrorNotice title="Not queued." error={failure} />}
        <WrongFields form={form} errors={errors} />
        <Button type="submit" look="primary" disabled={program.isQueuing || !mayWrite}>
          {submitLabel(settings.seeds)}
        </Button>
        {!mayWrite && <p className="muted">Your token may read only.</p>}
      </div>
    </form>
  );
}
