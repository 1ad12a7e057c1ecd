import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { authToken, isSharedTab, setAuthToken, tokenWanted } from '../api/authToken.ts';
import { goSignIn, useSignIn } from '../api/signIn.ts';
import { useStore } from '../api/useStore.ts';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';

/** Asks for a token when the API wants one; it is kept until the tab closes. */
export function TokenDialog() {
  const wanted = useStore(tokenWanted);
  const [token, setToken] = useState('');
  const queryClient = useQueryClient();
  const signInAddress = useSignIn(wanted && !isSharedTab()).signIn;
  if (!wanted) return null;
  if (isSharedTab()) {
    return (
      <Dialog title="This link opens nothing any more" onClose={() => tokenWanted.set(false)}>
        <p>It was withdrawn, or has expired. Ask who gave it to you for another.</p>
      </Dialog>
    );
  }
  const use = (event: FormEvent) => {
    event.preventDefault();
    setAuthToken(token.trim());
    setToken('');
    tokenWanted.set(false);
    void queryClient.resetQueries();
  };
  return (
    <Dialog
      title={signInAddress === null ? 'This server needs a token' : 'Sign in, or give a token'}
      onClose={() => tokenWanted.set(false)}
    >
      <form className="stack" onSubmit={use}>
        {signInAddress !== null && (
          <Button look="primary" autoFocus onClick={() => goSignIn(signInAddress)}>
            Sign in
          </Button>
        )}
        {authToken.get() !== null && <p className="danger-text">The token given before was refused.</p>}
        <Field
          label="Token"
          hint={
            <>
              An administrator makes one, on the page Administration or by <code>warren token create</code>. It is
              forgotten when this tab closes.
            </>
          }
        >
          <input
            className="input mono"
            type="password"
            autoComplete="off"
            required
            autoFocus={signInAddress === null}
            value={token}
            onChange={(event) => setToken(event.target.value)}
          />
        </Field>
        <div className="dialog-foot">
          <Button type="submit" look={signInAddress === null ? 'primary' : 'plain'} disabled={token.trim() === ''}>
            Use token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
