import { useState } from 'react';
import { type SweepAction, useConfirmSweep, useSweepAction, useExtendSweep } from './sweepActions.ts';
import type { SweepDetail } from './useSweep.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { showToast } from '#web/components/toasts.ts';
import { SettingInput } from '../newRun/SettingInput.tsx';
import { ApiError } from '#web/api/apiError.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { readSweepDefinition } from './sweepDefinition.ts';

const EMPTY = { trials: '', hours: '', epochs: '', concurrency: '', untilNothingBetterIn: '' };
type Name = keyof typeof EMPTY;

/** More trials, hours or room for a sweep; fields left empty change nothing. */
function ExtendDialog({ sweep, onClose }: { sweep: SweepDetail; onClose(): void }) {
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

type Asked = 'cancel' | 'extend' | 'confirm' | null;
const DONE: Record<SweepAction, string> = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' };

/** What can be done with a sweep now. */
export function SweepButtons({ sweep, mayWrite }: { sweep: SweepDetail; mayWrite: boolean }) {
  const mutation = useSweepAction();
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const act = async (action: SweepAction) => {
    // not a callback of `mutate`: none is called once the page is left
    const done = await mutation
      .mutateAsync({ action, id: sweep.id })
      .then(() => true)
      .catch((error: Error) => showToast(error.message, { error: true }));
    if (done === true) showToast(`Sweep ${sweep.number} is ${DONE[action]}.`);
  };
  const blocked = !mayWrite || mutation.isPending;
  const live = sweep.state === 'RUNNING' || sweep.state === 'PAUSED';
  return (
    <div className="row spread">
      {sweep.state === 'RUNNING' && (
        <Button disabled={blocked} onClick={() => void act('pause')}>
          Pause
        </Button>
      )}
      {sweep.state === 'PAUSED' && (
        <Button look="primary" disabled={blocked} onClick={() => void act('resume')}>
          Resume
        </Button>
      )}
      {sweep.state !== 'CANCELLED' && (
        <Button disabled={blocked} onClick={() => setAsked('extend')}>
          Extend …
        </Button>
      )}
      {sweep.best !== null && (
        <Button disabled={blocked} onClick={() => setAsked('confirm')}>
          Confirm best …
        </Button>
      )}
      {live && (
        <Button look="danger" disabled={blocked} onClick={() => setAsked('cancel')}>
          Cancel sweep
        </Button>
      )}
      {asked === 'cancel' && (
        <Dialog title="Cancel this sweep?" onClose={close}>
          <p>
            It draws no more trials, and its runs that have not ended are cancelled. What they logged stays. A cancelled
            sweep cannot go on; to stop for a while, pause it.
          </p>
          <div className="dialog-foot">
            <Button onClick={close}>Go on</Button>
            <Button
              look="danger"
              onClick={() => {
                close();
                void act('cancel');
              }}
            >
              Cancel sweep
            </Button>
          </div>
        </Dialog>
      )}
      {asked === 'extend' && <ExtendDialog sweep={sweep} onClose={close} />}
      {asked === 'confirm' && <ConfirmDialog sweep={sweep} onClose={close} />}
    </div>
  );
}

/** Nothing is queued where agents execute the trials: they are given the seeds when they ask. */
function confirmingText(queued: number, seeds: number): string {
  if (queued > 0) return queued === 1 ? '1 run is queued.' : `${queued} runs are queued.`;
  return `The next agents that ask execute it with ${seeds === 1 ? '1 fresh seed' : `${seeds} fresh seeds`}.`;
}

function ConfirmDialog({ sweep, onClose }: { sweep: SweepDetail; onClose(): void }) {
  const mutation = useConfirmSweep();
  const [seeds, setSeeds] = useState('5');
  const [error, setError] = useState<string>();
  const submit = async () => {
    const count = Number(seeds);
    if (!Number.isInteger(count) || count < 1 || count > 100) return setError('A whole number from 1 to 100.');
    const runs = await mutation
      .mutateAsync({ id: sweep.id, seeds: count })
      .catch(({ message }: Error) => setError(message));
    if (runs === undefined) return;
    showToast(confirmingText(runs.length, count));
    onClose();
  };
  return (
    <Dialog title={`Confirm trial ${sweep.best?.number ?? ''}`} onClose={onClose}>
      <p>
        The best of many trials is partly lucky. It is executed again with seeds that the sweep has not used; only their
        mean is worth reporting.
      </p>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <SettingInput label="Fresh seeds" hint="One run each." value={seeds} error={error} onChange={setSeeds} />
        <div className="dialog-foot">
          <Button onClick={onClose}>Not now</Button>
          <Button type="submit" look="primary" disabled={mutation.isPending}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
