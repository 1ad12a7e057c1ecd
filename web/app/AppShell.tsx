import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { authToken, isSharedTab, tokenWanted } from '../api/authToken.ts';
import { useServer } from '../features/administration/useServer.ts';
import { useStore } from '../api/useStore.ts';
import { Icon } from '../components/Icon.tsx';
import { Toasts } from '../components/Toasts.tsx';
import { joinClasses } from '../lib/joinClasses.ts';
import { followedRuns } from '../features/follow/followedRuns.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { Keys } from './Keys.tsx';
import { MoreLinks } from './MoreLinks.tsx';
import { PaletteButton } from './PaletteButton.tsx';
import { ThemeToggle } from './ThemeToggle.tsx';
import { TokenDialog } from './TokenDialog.tsx';

const RunEndNotices = lazy(async () => ({
  default: (await import('../features/follow/RunEndNotices.tsx')).RunEndNotices,
}));

const AlertBell = lazy(async () => ({ default: (await import('../features/alerts/AlertBell.tsx')).AlertBell }));

/** What frames every page: navigation, the state of the connection, messages. */
export function AppShell() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const followed = useStore(followedRuns);
  useStore(authToken);
  const isAsked = useStore(tokenWanted);
  const shared = isSharedTab();
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
        {shared ? <SharedTitle /> : <MainLinks />}
        {!shared && (
          <>
            <Suspense fallback={<span className="shell-bell-place" />}>
              <AlertBell />
            </Suspense>
            <PaletteButton />
          </>
        )}
        <ThemeToggle />
        <AccountMenu />
      </header>
      <ConnectionNotice />
      {/* what was refused says so on its page, which the question for a token covers */}
      <main className={joinClasses('shell-main', isAsked && 'shell-main-covered')} id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      <Toasts />
      <TokenDialog />
      <Keys />
      {followed.length > 0 && (
        <Suspense fallback={null}>
          <RunEndNotices />
        </Suspense>
      )}
    </div>
  );
}

/** The pages that a newcomer needs; the others are behind one button. */
function MainLinks() {
  const links = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useEffect(() => {
    const row = links.current;
    if (row === null) return;
    // On a small screen the links scroll: that of the page shown is in sight.
    const watch = new ResizeObserver(() => {
      const current = row.querySelector<HTMLElement>('[aria-current="page"]');
      if (current === null) return;
      row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
    });
    watch.observe(row);
    return () => watch.disconnect();
  }, [path]);
  return (
    <nav className="shell-nav" aria-label="Main">
      <div className="shell-links" ref={links}>
        <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
          Home
        </Link>
        <Link to="/runs" activeOptions={{ exact: true, includeSearch: false }}>
          Runs
        </Link>
        <Link to="/compare" activeOptions={{ includeSearch: false }}>
          Compare
        </Link>
        <Link to="/sweeps" activeOptions={{ includeSearch: false }}>
          Sweeps
        </Link>
        <Link to="/reports" activeOptions={{ includeSearch: false }}>
          Reports
        </Link>
      </div>
      <MoreLinks />
    </nav>
  );
}

/** What the page is, for who came by a link: there is nothing else to go to. */
function SharedTitle() {
  const shared = useServer().data?.caller.shared;
  return (
    <span className="shell-nav">{shared == null ? 'Shared, read-only' : `${shared.title} (shared, read-only)`}</span>
  );
}
