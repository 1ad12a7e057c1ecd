import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { authToken } from '#web/api/authToken.ts';
import { Button } from '#web/components/Button.tsx';
import { showToast } from '#web/components/toasts.ts';
import { type FirstStep, firstSteps } from './firstSteps.ts';

/** What to do on a server that has no runs yet. */
export function FirstSteps() {
  return (
    <section className="home-first" aria-labelledby="first-title">
      <h2 id="first-title">No runs yet: three ways to begin</h2>
      <ol className="home-steps">
        {firstSteps(location.origin).map((step) => (
          <Step key={step.title} step={step} />
        ))}
      </ol>
      <p className="muted">
        Commands of Warren are for its own folder.
        {authToken.get() !== null && ' This server wants a token: set WARREN_TOKEN, too.'} Without a shell,{' '}
        <Link to="/new">fill in a form</Link>.
      </p>
    </section>
  );
}

function Step({ step }: { step: FirstStep }) {
  const id = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(step.command);
      showToast('Copied.');
    } catch {
      showToast('The browser does not allow copying here: select the text.', { error: true });
    }
  };
  return (
    <li className="panel home-step">
      <div className="panel-head">
        <h3 id={id}>{step.title}</h3>
        <span className="muted">{step.result}</span>
        <Button className="spread" aria-label={`Copy: ${step.title}`} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="panel-body home-command" aria-labelledby={id} tabIndex={0}>
        <pre>{step.command}</pre>
      </section>
    </li>
  );
}
