import { useState } from 'react';
import { useSignIn } from '#web/api/signIn.ts';
import { Link } from '@tanstack/react-router';
import { useMayWrite, useServer } from '#web/features/administration/useServer.ts';
import { useIssueOwnToken, useOwnTokens, useRevokeOwnToken } from './useTokens.ts';
import { Button } from '#web/components/Button.tsx';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { NewTokenDialog } from './NewTokenDialog.tsx';
import { holds, TokenTable } from './TokenTable.tsx';

/** Tokens that the person who is signed in makes for programs of its own. */
export function OwnTokensPage() {
  useTitle('Your tokens');
  const caller = useServer().data?.caller;
  if (caller === undefined) return <Loading what="the server" />;
  if (caller.kind === 'user') return <OwnTokens />;
  return (
    <div className="page">
      <h1>Your tokens</h1>
      <EmptyState title="Nobody is signed in here">
        {caller.kind === 'anybody' ? (
          <p>This server asks for no token: programs log to it as they are.</p>
        ) : (
          <p>
            Who is signed in makes tokens here. With a token, ask an administrator for another, who makes one under{' '}
            <Link to="/admin">Administration</Link>.
          </p>
        )}
      </EmptyState>
    </div>
  );
}

function OwnTokens() {
  const { data = [], error, isSuccess } = useOwnTokens();
  const [making, setMaking] = useState(false);
  const { groupDays } = useSignIn(true);
  const withdrawal = useRevokeOwnToken();
  const holding = data.filter((token) => holds(token));
  return (
    <div className="page">
      <div className="page-head">
        <h1>Your tokens</h1>
        <span className="muted">{isSuccess && `${holding.length} in force`}</span>
        <Button className="spread" look="primary" onClick={() => setMaking(true)}>
          New token
        </Button>
      </div>
      <p className="muted">
        Programs and the command line work here under your name with a token, one for each machine. It allows what you
        may do at the time, and never more.
        {groupDays !== null &&
          ` What your groups give you counts for ${groupDays} days after you have signed in; sign in once more, and it counts again.`}
      </p>
      {making && <NewOwnToken onClose={() => setMaking(false)} />}
      {error !== null && <ErrorNotice title="Your tokens cannot be shown." error={error} />}
      {isSuccess && holding.length === 0 && (
        <EmptyState title="You have no token">
          <p>Make one, and give it to your program as below.</p>
        </EmptyState>
      )}
      {holding.length > 0 && (
        <div className="panel">
          <TokenTable tokens={holding} withdrawal={withdrawal} ofEverybody={false} />
        </div>
      )}
      <CommandBox
        level={2}
        title="Log from Python"
        result="The run appears here, made by you."
        command={[
          `export WARREN_API_URL=${location.origin}`,
          'export WARREN_TOKEN=…   # the token',
          `curl -fsSO ${location.origin}/clients/warren.py`,
          `python -c 'import warren; warren.init(); warren.log({"loss": 0.5})'`,
        ].join('\n')}
      />
    </div>
  );
}

function NewOwnToken({ onClose }: { onClose(): void }) {
  const issue = useIssueOwnToken();
  const mayWrite = useMayWrite();
  return (
    <NewTokenDialog
      {...{ onClose, issue }}
      roles={mayWrite ? ['READ', 'WRITE'] : ['READ']}
      everywhere="every project that is open to you"
      endless={false}
    />
  );
}
