import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { authToken, isSharedTab, tokenWanted } from '../api/authToken.ts';
import { useServer } from '../features/administration/useServer.ts';
import { useStore } from '../api/useStore.ts';
import { Icon } from '../components/Icon.tsx';
import { Toasts } from '../components/Toasts.tsx';
import { joinClasses } from '../lib/joinClasses.ts';
import { followedRuns } from '../features/follow/followedRuns.ts';
import { signOut } from '../api/signIn.ts';
import { Button } from '../components/Button.tsx';
import { Popover } from '../components/Popover.tsx';
import { showToast } from '../components/toasts.ts';
import { connection } from '../api/connection.ts';
import { keysShown } from '../features/keys/keysShown.ts';
import { isTyping } from '../lib/isTyping.ts';
import { MoreLinks } from './MoreLinks.tsx';
import { PaletteWait } from '../features/palette/PaletteField.tsx';
import { ON_MAC } from '../lib/onMac.ts';
import { chooseTheme, themeChoice, type ThemeChoice } from '../components/theme.ts';
import { TokenDialog } from './TokenDialog.tsx';

const load = () => import('../features/palette/CommandPalette.tsx');
const CommandPalette = lazy(async () => ({ default: (await load()).CommandPalette }));
/** Some time after the page itself: mostly it is there before somebody asks for it. */
const LOAD_AFTER_MS = 1500;

/** Opens the palette, as Ctrl and K (on a Mac ⌘ and K) do from anywhere. */
function PaletteButton() {
  const [open, setOpen] = useState(false);
  // while the palette is not there
  const [typed, setTyped] = useState('');
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen((before) => !before && document.querySelector('dialog[open]') === null);
    };
    document.addEventListener('keydown', onKey);
    const timer = setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    <>
      <Button
        className="palette-button"
        title="Find pages, runs and actions"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" size={13} />
        <span className="palette-button-text">Find</span>
        <span className="palette-keys" aria-hidden="true">
          <kbd>{ON_MAC ? '⌘K' : 'Ctrl K'}</kbd>
        </span>
      </Button>
      {open && (
        <Suspense fallback={<PaletteWait text={typed} onText={setTyped} onClose={close} />}>
          <CommandPalette typed={typed} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** Who is signed in, tokens for programs of that person, and the way out; nothing for who uses a token. */
function AccountMenu() {
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

const KeysDialog = lazy(async () => ({ default: (await import('../features/keys/KeysDialog.tsx')).KeysDialog }));

/** The list of keys, which a question mark opens from anywhere. */
function Keys() {
  const shown = useStore(keysShown);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      keysShown.set(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!shown) return null;
  return (
    <Suspense fallback={null}>
      <KeysDialog onClose={() => keysShown.set(false)} />
    </Suspense>
  );
}

const NEXT: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;
const WORDS: Record<ThemeChoice, string> = { system: 'as the system', light: 'light', dark: 'dark' };

/** Goes round: as the system wishes, light, dark. */
function ThemeToggle() {
  const choice = useStore(themeChoice);
  return (
    <Button
      look="quiet"
      icon
      aria-label={`Theme: ${WORDS[choice]}. Change to ${WORDS[NEXT[choice]]}`}
      title={`Theme: ${WORDS[choice]}`}
      onClick={() => chooseTheme(NEXT[choice])}
    >
      <Icon name={ICONS[choice]} size={15} />
    </Button>
  );
}

/** Says that the API is away, and that the page goes on by itself. */
function ConnectionNotice() {
  const state = useStore(connection);
  return (
    <div aria-live="assertive">
      {state === 'away' && (
        <div className="notice">
          <strong>The API cannot be reached.</strong>
          <span>What you see may be out of date. Trying again …</span>
        </div>
      )}
    </div>
  );
}

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
