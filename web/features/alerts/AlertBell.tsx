import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type AlertRow, useNewestAlerts } from './useAlerts.ts';
import { useStore } from '#web/api/useStore.ts';
import { Icon } from '#web/components/Icon.tsx';
import { showToast } from '#web/components/toasts.ts';
import { seenAlert } from './seenAlerts.ts';
import './alerts.css';

/** How many alerts nobody has seen here yet; it leads to them, and says when one comes. */
export function AlertBell() {
  const { data = [], isSuccess } = useNewestAlerts();
  const seen = useStore(seenAlert);
  useNotices(data, isSuccess);
  const unseen = data.filter(({ number }) => number > seen).length;
  const count = unseen >= 20 ? '20+' : String(unseen);
  return (
    <Link
      to="/alerts"
      className="button button-quiet alert-bell"
      aria-label={unseen === 0 ? 'Alerts' : `Alerts, ${count} new`}
      title="Alerts"
    >
      <Icon name="bell" size={16} />
      {unseen > 0 && <span className="alert-count">{count}</span>}
    </Link>
  );
}

/** Shows what comes while the page is open. */
function useNotices(alerts: readonly AlertRow[], known: boolean): void {
  const router = useRouter();
  const newest = useRef<number | null>(null);
  useEffect(() => {
    if (!known) return;
    const before = newest.current;
    newest.current = Math.max(before ?? 0, alerts[0]?.number ?? 0);
    if (before === null) return;
    const fresh = alerts.filter(({ number }) => number > before);
    const [first] = fresh;
    if (first === undefined || router.state.location.pathname === '/alerts') return;
    const text = fresh.length === 1 ? first.title : `${fresh.length} alerts, the newest: ${first.title}`;
    showToast(text, { action: { label: 'Show', run: () => router.history.push('/alerts') } });
  }, [alerts, known, router]);
}
