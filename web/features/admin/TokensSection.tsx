import { useState } from 'react';
import { type TokenRow, useRevokeToken, useTokens } from '#web/api/useAdministration.ts';
import { Button } from '#web/components/Button.tsx';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { formatDateTime } from '#web/lib/formatTime.ts';

/** Tokens: those that hold, and on demand those that do not any more. */
export function TokensSection() {
  const { data = [], error, isSuccess } = useTokens();
  const [all, setAll] = useState(false);
  const [making, setMaking] = useState(false);
  const holding = data.filter((token) => holds(token));
  const shown = all ? data : holding;
  return (
    <section className="panel" aria-labelledby="tokens-title">
      <div className="panel-head">
        <h2 id="tokens-title">Tokens</h2>
        <span>{holding.length} in force</span>
        <label className="check spread">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} />
          Show withdrawn and expired ones
        </label>
        <Button onClick={() => setMaking(true)}>New token</Button>
      </div>
      {making && <NewTokenDialog onClose={() => setMaking(false)} />}
      {error !== null && <ErrorNotice title="The tokens cannot be shown." error={error} />}
      {isSuccess && shown.length === 0 && (
        <p className="panel-body muted">There are none. Programs and people on other machines need one each.</p>
      )}
      {shown.length > 0 && (
        <section
          className="table-scroll"
          aria-label="Tokens table"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
          tabIndex={0}
        >
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Role</th>
                <th scope="col">Made</th>
                <th scope="col">Last used</th>
                <th scope="col">Until</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((token) => (
                <TokenLine key={token.id} token={token} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function holds({ revokedAt, expiresAt }: TokenRow): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function TokenLine({ token }: { token: TokenRow }) {
  const { name, role, mayQueueCommands, mayManageQueue, createdAt, lastUsedAt, expiresAt, revokedAt } = token;
  const rights = [role, ...(mayQueueCommands ? ['commands'] : []), ...(mayManageQueue ? ['queue'] : [])];
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{rights.join(', ')}</td>
      <td>
        <TimeText time={createdAt} />
      </td>
      <td>{lastUsedAt === null ? 'never' : <TimeText time={lastUsedAt} />}</td>
      <td>
        {revokedAt !== null && 'withdrawn'}
        {revokedAt === null && (expiresAt === null ? 'no end' : formatDateTime(new Date(expiresAt)))}
      </td>
      <td>{holds(token) && <WithdrawButton name={name} />}</td>
    </tr>
  );
}

/** Withdraws at the second press: what uses the token fails from then on. */
function WithdrawButton({ name }: { name: string }) {
  const [sure, setSure] = useState(false);
  const revoke = useRevokeToken();
  if (!sure) {
    return (
      <Button look="quiet" aria-label={`Withdraw ${name}`} onClick={() => setSure(true)}>
        Withdraw
      </Button>
    );
  }
  return (
    <div className="row">
      <Button
        look="danger"
        aria-label={`Withdraw ${name} now`}
        disabled={revoke.isPending}
        onClick={() =>
          revoke.mutate(name, {
            onSuccess: () => showToast(`The token ${name} is void within five seconds.`),
            onError: (error) => showToast(error.message, { error: true }),
          })
        }
      >
        Withdraw {name} now
      </Button>
      <Button look="quiet" onClick={() => setSure(false)}>
        Keep
      </Button>
    </div>
  );
}
