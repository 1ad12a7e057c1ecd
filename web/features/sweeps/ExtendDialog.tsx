import { useState } from 'react';
import { ApiError } from '#web/api/apiError.ts';
import { useExtendSweep } from './sweepActions.ts';
import type { SweepDetail } from './useSweep.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { showToast } from '#web/components/toasts.ts';
import { readSweepDefinition } from './sweepDefinition.ts';
import { SettingInput } from '../newRun/SettingInput.tsx';

const EMPTY = { trials: '', hours: '', epochs: '', concurrency: '', untilNothingBetterIn: '' };
type Name = keyof typeof EMPTY;

/** More trials, hours or room for a sweep; fields left empty change nothing. */
export function ExtendDialog({ sweep, onClose }: { sweep: SweepDetail; onClose(): void }) {
  const definition = readSweepDefinition(sweep.definition);
  const [texts, setTexts] = useState(EMPTY);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState<string | null>(null);
  const mutation = useExtendSweep();
  const setting = (name: Name) => ({
    value: texts[name],
    error: errors[name],
    onChange: (value: string) => {
      setTexts((before) => ({ ...before, [name]: value }));
      setErrors(({ [name]: _, ...others }) => others);
    },
  });
  const submit = async () => {
    const found: Record<string, string> = {};
    const numbers: Partial<Record<Name, number>> = {};
    for (const name of ['trials', 'hours', 'epochs', 'concurrency', 'untilNothingBetterIn'] as const) {
      const text = texts[name].trim();
      if (text === '') continue;
      const number = Number(text);
      if (!(number > 0) || (name !== 'hours' && !Number.isInteger(number))) found[name] = 'A whole number from 1 on.';
      else numbers[name] = number;
    }
    if (Object.keys(found).length === 0 && Object.keys(numbers).length === 0) found.trials = 'Say how many more.';
    setErrors(found);
    setFailure(null);
    if (Object.keys(found).length > 0) return;
    // not a callback of `mutate`: none is called once the page is left
    const extended = await mutation
      .mutateAsync({ id: sweep.id, ...numbers })
      .then(() => true)
      .catch((error: Error) => {
        const path = error instanceof ApiError ? error.path : null;
        if (path !== null && path in EMPTY) setErrors({ [path]: error.message });
        else setFailure(error.message);
        return false;
      });
    if (!extended) return;
    showToast(`Sweep ${sweep.number} goes on.`);
    onClose();
  };
  return (
    <Dialog title={`Extend sweep ${sweep.number}`} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {definition?.budget.trials != null && (
          <SettingInput
            label="More trials"
            hint={`It has ${definition.budget.trials} in all.`}
            {...setting('trials')}
          />
        )}
        {definition?.budget.hours != null && (
          <SettingInput label="More hours" hint={`It has ${definition.budget.hours} in all.`} {...setting('hours')} />
        )}
        {definition?.budget.epochs != null && (
          <SettingInput
            label="More epochs"
            hint={`It has ${definition.budget.epochs} in all.`}
            {...setting('epochs')}
          />
        )}
        <SettingInput
          label="Trials at once"
          hint={`Now ${definition?.concurrency ?? 'unknown'}.`}
          {...setting('concurrency')}
        />
        {definition?.metric != null && (
          <SettingInput
            label="Until nothing better in"
            hint="Trials without a better one, after which it ends."
            {...setting('untilNothingBetterIn')}
          />
        )}
        {failure !== null && <ErrorNotice title="Not extended." error={failure} />}
        <div className="dialog-foot">
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending}>
            Extend
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
