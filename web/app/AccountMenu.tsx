import { Link } from '@tanstack/react-router';
import { signOut } from '../api/signIn.ts';
import { useServer } from '../features/administration/useServer.ts';
import { Button } from '../components/Button.tsx';
import { Popover } from '../components/Popover.tsx';
import { showToast } from '../components/toasts.ts';

/** Who is signed in, tokens for programs of that person, and the way out; nothing for who uses a token. */
export function AccountMenu() {
  const caller = useServer().data?.caller;
  if (caller?.kind !== 'user') return null;
  const leave = () => {
    signOut().catch((error: Error) => showToast(error.message, { error: true }));
  };
  return (
    <Popover
      look="quiet"
      label={caller.name.slice(0, 1).toUpperCase()}
      name={`Account: ${caller.name}`}
      title={`Signed in as ${caller.name}`}
    >
      <div className="stack">
        <p>Signed in as {caller.name}</p>
        <Link to="/tokens">Your tokens</Link>
        <Button onClick={leave}>Sign out</Button>
      </div>
    </Popover>
  );
}
