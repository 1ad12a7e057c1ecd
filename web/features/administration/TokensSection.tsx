import { useState } from 'react';
import { useIssueToken, useRevokeToken, useTokens } from '#web/features/tokens/useTokens.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { NewTokenDialog, type WantedToken } from '../tokens/NewTokenDialog.tsx';
import { holds, TokenTable } from '../tokens/TokenTable.tsx';

/** Tokens: those that hold, and on demand those that do not any more. */
export function TokensSection() {
  const { data = [], error, isSuccess } = useTokens();
  const [all, setAll] = useState(false);
  const [making, setMaking] = useState(false);
  const withdrawal = useRevokeToken();
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
      {making && <NewToken onClose={() => setMaking(false)} />}
      {error !== null && <ErrorNotice title="The tokens cannot be shown." error={error} />}
      {isSuccess && shown.length === 0 && (
        <p className="panel-body muted">There are none. Programs and people on other machines need one each.</p>
      )}
      {shown.length > 0 && <TokenTable tokens={shown} withdrawal={withdrawal} ofEverybody />}
    </section>
  );
}

function NewToken({ onClose }: { onClose(): void }) {
  const { mutate, data, error, isPending } = useIssueToken();
  const issue = {
    ...{ data, error, isPending },
    mutate: ({ project, ...wanted }: WantedToken) =>
      mutate({ ...wanted, grants: project === null ? null : [{ project, role: wanted.role }] }),
  };
  return (
    <NewTokenDialog {...{ onClose, issue }} roles={['READ', 'WRITE', 'ADMIN']} everywhere="all projects" endless />
  );
}
