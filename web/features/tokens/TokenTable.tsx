import { useState } from 'react';
import type { TokenRow } from './useTokens.ts';
import { Button } from '#web/components/Button.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { showToast } from '#web/components/toasts.ts';
import { roleName } from '#web/lib/roles.ts';
import { formatDateTime } from '#web/lib/formatTime.ts';

/** Makes a token void. */
export interface Withdrawal {
  isPending: boolean;
  mutate(name: string, then: { onSuccess(): void; onError(error: Error): void }): void;
}

export interface TokenTableProps {
  tokens: readonly TokenRow[];
  withdrawal: Withdrawal;
  /** Whether to say where each works, and who made it. */
  ofEverybody: boolean;
}

/** Tokens with what they may, where and until when. */
export function TokenTable({ tokens, withdrawal, ofEverybody }: TokenTableProps) {
  return (
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
            <th scope="col">Works in</th>
            {ofEverybody && <th scope="col">Made by</th>}
            <th scope="col">Made</th>
            <th scope="col">Last used</th>
            <th scope="col">Until</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenLine key={token.id} {...{ token, withdrawal, ofEverybody }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Whether a token is neither withdrawn nor expired. */
export function holds({ revokedAt, expiresAt }: Pick<TokenRow, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

function TokenLine({ token, withdrawal, ofEverybody }: Omit<TokenTableProps, 'tokens'> & { token: TokenRow }) {
  const { name, createdAt, lastUsedAt, expiresAt, revokedAt, madeBy } = token;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{rightsText(token)}</td>
      <td>{placesText(token)}</td>
      {ofEverybody && <td>{madeBy || '–'}</td>}
      <td>
        <TimeText time={createdAt} />
      </td>
      <td>{lastUsedAt === null ? 'never' : <TimeText time={lastUsedAt} />}</td>
      <td>
        {revokedAt !== null && 'withdrawn'}
        {revokedAt === null && (expiresAt === null ? 'no end' : formatDateTime(new Date(expiresAt)))}
      </td>
      <td>{holds(token) && <WithdrawButton {...{ name, withdrawal }} />}</td>
    </tr>
  );
}

function rightsText({ role, namedProjects, grants, mayQueueCommands, mayManageQueue }: TokenRow): string {
  const roles = namedProjects ? [...new Set(grants.map((grant) => grant.role))] : [role];
  return [...roles.map(roleName), ...(mayQueueCommands ? ['commands'] : []), ...(mayManageQueue ? ['queue'] : [])].join(
    ', ',
  );
}

function placesText({ namedProjects, grants, isOwn }: TokenRow): string {
  if (namedProjects) return grants.map(({ project }) => project).join(', ') || 'no project';
  return isOwn ? 'where its owner may' : 'all projects';
}

/** Withdraws at the second press: what uses the token fails from then on. */
function WithdrawButton({ name, withdrawal }: { name: string; withdrawal: Withdrawal }) {
  const [sure, setSure] = useState(false);
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
        disabled={withdrawal.isPending}
        onClick={() =>
          withdrawal.mutate(name, {
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
