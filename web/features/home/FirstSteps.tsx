import { Link } from '@tanstack/react-router';
import { authToken } from '#web/api/authToken.ts';
import { CommandBox } from '#web/components/CommandBox.tsx';
import { firstSteps } from '../shared/firstSteps.ts';

/** What to do on a server that has no runs yet. */
export function FirstSteps() {
  return (
    <section className="home-first" aria-labelledby="first-title">
      <h2 id="first-title">No runs yet: three ways to begin</h2>
      <ol className="home-steps">
        {firstSteps(location.origin).map((step) => (
          <li key={step.title}>
            <CommandBox {...step} />
          </li>
        ))}
      </ol>
      <p className="muted">
        The last two are for the folder of Warren.
        {authToken.get() !== null && ' This server wants a token: set WARREN_TOKEN, too.'} Without a shell,{' '}
        <Link to="/new">fill in a form</Link>.
      </p>
    </section>
  );
}
