import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { authToken, setAuthToken, tokenWanted } from '../api/authToken.ts';
import { useStore } from '../api/useStore.ts';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';

/** Asks for a token when the API wants one; it is kept until the tab closes. */
export function TokenDialog() {
  const wanted = useStore(tokenWanted);
  const [token, setToken] = useState('');
  const queryClient = useQueryClient();
  if (!wanted) return null;
  const use = (event: FormEvent) => {
    event.preventDefault();
    setAuthToken(token.trim());
    setToken('');
    tokenWanted.set(false);
    void queryClient.resetQueries();
  };
  return (
    <Dialog title="This server needs a token" onClose={() => tokenWanted.set(false)}>
      <form className="stack" onSubmit={use}>
        {authToken.get() !== null && <p className="danger-text">The token given before was refused.</p>}
        <label className="field">
          <span className="field-label">Token</span>
          <input
            className="input mono"
            type="password"
            autoComplete="off"
            required
            autoFocus
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
          <span className="field-hint">
            An administrator issues one: <code>warren token create</code>. It is forgotten when this tab closes.
          </span>
        </label>
        <div className="dialog-foot">
          <Button type="submit" look="primary" disabled={token.trim() === ''}>
            Use token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
