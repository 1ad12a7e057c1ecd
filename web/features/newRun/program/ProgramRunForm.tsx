import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { InputFiles } from '../InputFiles.tsx';
import { QueueFields, submitLabel } from '../QueueFields.tsx';
import type { RunSettings } from '../runSettings.ts';
import { WrongFields } from '../WrongFields.tsx';
import { ProgramLine, ProgramNeeds } from './ProgramFields.tsx';
import { ProgramParameters } from './ProgramParameters.tsx';
import { useProgramRunForm } from './useProgramRunForm.ts';

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
