import { useState } from 'react';
import { useServer } from './useServer.ts';
import { type UserRow, useDisableUser, useUsers } from './useUsers.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { GrantsDialog } from './GrantsDialog.tsx';
import { providerOf, rightsOf } from './userText.ts';

/** Says what ends with somebody's rights, and ends it. */
function DisableDialog({ user, onClose }: { user: UserRow; onClose(): void }) {
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

/** Of more, those are shown that are looked for. */
const MOST_SHOWN = 200;

/** People who have signed in: what they may do, and ways to change it. */
export function UsersSection() {
  const { data = [], error, isSuccess } = useUsers();
  const [wanted, setWanted] = useState('');
  const found = data.filter((user) => matches(user, wanted.trim().toLowerCase()));
  const shown = found.slice(0, MOST_SHOWN);
  const disabled = data.filter(({ disabledAt }) => disabledAt !== null).length;
  return (
    <section className="panel" aria-labelledby="users-title">
      <div className="panel-head">
        <h2 id="users-title">People</h2>
        <span>
          {formatCount(data.length)}
          {disabled > 0 && `, ${formatCount(disabled)} disabled`}
        </span>
        {data.length > 0 && (
          <label className="check spread">
            Find people
            <input
              className="input"
              type="search"
              spellCheck={false}
              value={wanted}
              onChange={({ target }) => setWanted(target.value)}
            />
          </label>
        )}
      </div>
      {error !== null && <ErrorNotice title="The people cannot be shown." error={error} />}
      {isSuccess && data.length === 0 && (
        <p className="panel-body muted">
          Nobody has signed in yet. People sign in where <code>WARREN_OIDC_ISSUER</code> names an OpenID provider;
          tokens work beside it.
        </p>
      )}
      {data.length > 0 && found.length === 0 && <p className="panel-body muted">Nobody is called so.</p>}
      {shown.length > 0 && (
        <section
          className="table-scroll admin-sizes"
          aria-label="People table"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <table className="table admin-people">
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col" className="admin-aside">
                  Signs in at
                </th>
                <th scope="col" className="admin-aside">
                  Last seen
                </th>
                <th scope="col">May</th>
                <th scope="col">State</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((user) => (
                <UserLine key={user.id} user={user} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {found.length > shown.length && (
        <p className="panel-body muted">The first {MOST_SHOWN} are shown; find the others by name or address.</p>
      )}
    </section>
  );
}

function matches({ name, email }: UserRow, wanted: string): boolean {
  return name.toLowerCase().includes(wanted) || email.toLowerCase().includes(wanted);
}

function UserLine({ user }: { user: UserRow }) {
  const [dialog, setDialog] = useState<'rights' | 'disable' | null>(null);
  const me = useServer().data?.caller;
  const who = user.label;
  const rights = rightsOf(user);
  const isMe = me?.kind === 'user' && me.name === who;
  return (
    <tr>
      <th scope="row">
        {user.name || who}
        {user.email !== '' && (user.name !== '' || !user.emailVerified) && (
          <div className="admin-address">
            {user.email}
            {!user.emailVerified && ' (not verified)'}
          </div>
        )}
      </th>
      <td className="admin-aside" title={`${user.subject} at ${user.issuer}`}>
        {providerOf(user)}
      </td>
      <td className="admin-aside">{user.seenAt === null ? 'never' : <TimeText time={user.seenAt} />}</td>
      <td>
        {rights.length === 0 && <span className="muted">nothing yet</span>}
        {rights.map((right) => (
          <div key={right}>{right}</div>
        ))}
      </td>
      <td>
        {user.disabledAt === null ? (
          'may sign in'
        ) : (
          <>
            disabled <TimeText time={user.disabledAt} />
          </>
        )}
      </td>
      <td>
        <div className="row">
          <Button look="quiet" aria-label={`Rights of ${who}`} onClick={() => setDialog('rights')}>
            Rights
          </Button>
          {user.disabledAt === null && !isMe && (
            <Button look="quiet" aria-label={`Disable ${who}`} onClick={() => setDialog('disable')}>
              Disable
            </Button>
          )}
          {user.disabledAt !== null && <EnableButton user={user} />}
        </div>
        {dialog === 'rights' && <GrantsDialog user={user} onClose={() => setDialog(null)} />}
        {dialog === 'disable' && <DisableDialog user={user} onClose={() => setDialog(null)} />}
      </td>
    </tr>
  );
}

function EnableButton({ user }: { user: UserRow }) {
  const enable = useDisableUser();
  const who = user.label;
  return (
    <Button
      look="quiet"
      aria-label={`Enable ${who}`}
      disabled={enable.isPending}
      onClick={() =>
        enable.mutate(
          { user: user.id, disabled: false, keepTokens: false },
          {
            onSuccess: () => showToast(`${who} may sign in again; tokens and links that ended stay void.`),
            onError: (error) => showToast(error.message, { error: true }),
          },
        )
      }
    >
      Enable
    </Button>
  );
}
