import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Icon } from '../components/Icon.tsx';
import { Toasts } from '../components/Toasts.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { ThemeToggle } from './ThemeToggle.tsx';
import { TokenDialog } from './TokenDialog.tsx';

/** What frames every page: navigation, the state of the connection, messages. */
export function AppShell() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    // A new page begins at its top, for the keyboard and for screen readers too.
    main.current?.focus({ preventScroll: true });
    main.current?.scrollTo({ top: 0 });
  }, [path]);
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="shell-head">
        <Link className="shell-brand" to="/" aria-label="Warren">
          <Icon name="brand" size={18} />
          <span className="shell-brand-name">Warren</span>
        </Link>
        <nav className="shell-nav" aria-label="Main">
          <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
            Runs
          </Link>
          <Link to="/compare" activeOptions={{ includeSearch: false }}>
            Compare
          </Link>
          <Link to="/sweeps" activeOptions={{ includeSearch: false }}>
            Sweeps
          </Link>
          <Link to="/reproductions">Reproductions</Link>
          <Link to="/datasets">Datasets</Link>
          <Link to="/workers">Queue and workers</Link>
          <Link to="/new" activeOptions={{ includeSearch: false }}>
            New run
          </Link>
          <Link to="/graphiql">API</Link>
        </nav>
        <ThemeToggle />
      </header>
      <ConnectionNotice />
      <main className="shell-main" id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <Toasts />
      <TokenDialog />
    </div>
  );
}
