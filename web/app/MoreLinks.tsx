import { Link, useRouterState } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { Popover } from '../components/Popover.tsx';

const GROUPS = [
  {
    title: 'Data and models',
    pages: [
      { to: '/datasets', label: 'Datasets', hint: 'what runs learn from' },
      { to: '/models', label: 'Models', hint: 'the registry' },
      { to: '/embeddings', label: 'Embeddings', hint: 'what is near what' },
    ],
  },
  {
    title: 'Findings',
    pages: [
      { to: '/decisions', label: 'Adaptive comparisons', hint: 'seeds until it is known' },
      { to: '/reproductions', label: 'Reproductions', hint: 'measured beside printed' },
    ],
  },
  {
    title: 'This server',
    pages: [
      { to: '/projects', label: 'Projects', hint: 'make, rename, delete' },
      { to: '/workers', label: 'Queue and workers', hint: 'what waits, and for what' },
      { to: '/alerts', label: 'Alerts', hint: 'rules, and what they told' },
      { to: '/admin', label: 'Administration', hint: 'health, disk, tokens, trash' },
      { to: '/graphiql', label: 'API', hint: 'try GraphQL' },
    ],
  },
] as const;

/** The pages that one needs less often, behind a button that tells which of them is shown. Arrow keys go through them. */
export function MoreLinks() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const shown = GROUPS.flatMap(({ pages }) => [...pages]).find(({ to }) => path === to || path.startsWith(`${to}/`));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go on from the link that has the focus
    <div className="shell-more" data-current={shown === undefined ? undefined : ''} onKeyDown={onArrow}>
      <Popover
        look="quiet"
        title="More pages"
        label={
          <>
            <span>
              More
              {shown !== undefined && <span className="shell-more-shown">: {shown.label}</span>}
            </span>
            <span aria-hidden="true"> ▾</span>
          </>
        }
      >
        {GROUPS.map(({ title, pages }) => (
          <div className="shell-more-group" key={title}>
            <p className="muted">{title}</p>
            <ul className="plain-list">
              {pages.map(({ to, label, hint }) => (
                <li key={to}>
                  <Link to={to} activeOptions={{ includeSearch: false }}>
                    <span>{label}</span>
                    <span className="muted">{hint}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Popover>
    </div>
  );
}

function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const root = event.currentTarget;
  const focus = () => {
    const links = [...root.querySelectorAll<HTMLElement>('a')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links.at(at === -1 && step < 0 ? -1 : (at + step) % links.length)?.focus();
  };
  const button = root.querySelector('button');
  if (button?.getAttribute('aria-expanded') === 'true') focus();
  else {
    button?.click();
    requestAnimationFrame(focus);
  }
}
