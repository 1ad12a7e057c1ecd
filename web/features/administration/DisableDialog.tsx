import { useState } from 'react';
import { type UserRow, useDisableUser } from './useUsers.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { showToast } from '#web/components/toasts.ts';

/** Says what ends with somebody's rights, and ends it. */
export function DisableDialog({ user, onClose }: { user: UserRow; onClose(): void }) {
  const [keep, setKeep] = useState(false);
  const disable = useDisableUser();
  const who = user.label;
  const { tokens, links } = user;
  const made = tokens.length + links > 0;
  const submit = () =>
    disable.mutate(
      { user: user.id, disabled: true, keepTokens: keep },
      {
        onSuccess: () => {
          showToast(`${who} is shut out.`);
          onClose();
        },
      },
    );
  return (
    <Dialog title={`Disable ${who}?`} onClose={onClose}>
      <p>The sessions end now, and signing in is refused until an administrator enables the person again.</p>
      {!made && <p>The person has made no token and no link that is in force.</p>}
      {made && (
        <>
          <p>What the person has made becomes void for good, and programs that use it fail:</p>
          <ul>
            {tokens.map((token) => (
              <li key={token}>
                token <code>{token}</code>
              </li>
            ))}
            {links > 0 && <li>{links === 1 ? '1 link' : `${links} links`}</li>}
          </ul>
          <label className="check">
            <input type="checkbox" checked={keep} onChange={({ target }) => setKeep(target.checked)} />
            Let these tokens and links go on
          </label>
        </>
      )}
      {disable.error !== null && <ErrorNotice title="Nothing was changed." error={disable.error} />}
      <div className="dialog-foot">
        <Button look="danger" disabled={disable.isPending} onClick={submit}>
          Disable
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
