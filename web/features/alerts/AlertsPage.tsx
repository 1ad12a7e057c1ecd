import { useNavigate, useSearch } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { useAlertHistory, useAlertRules } from './useAlerts.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { useEffect, useRef } from 'react';
import { ProjectPicker } from '../runs/ProjectPicker.tsx';
import { AlertList } from './AlertList.tsx';
import { RuleForm } from './RuleForm.tsx';
import { RuleTable } from './RuleTable.tsx';
import { markAlertsSeen } from './seenAlerts.ts';
import './alerts.css';

/** What was told and what became of each message, and the rules. */
export function AlertsPage() {
  useTitle('Alerts');
  const { project = null } = useSearch({ from: '/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const history = useAlertHistory(project);
  const rules = useAlertRules(project);
  const mayWrite = useMayWrite();
  const rulesPlace = useRef<HTMLElement>(null);
  const alerts = history.data?.pages.flat() ?? [];
  const newest = alerts[0]?.number ?? 0;
  useEffect(() => markAlertsSeen(newest), [newest]);
  const error = history.error ?? rules.error;
  return (
    <div className="page">
      <div className="page-head">
        <h1>Alerts</h1>
        <ProjectPicker
          project={project}
          onChange={(name) => void navigate({ search: name === null ? {} : { project: name }, replace: true })}
        />
        {alerts.length > 0 && (
          <Button className="spread" onClick={() => rulesPlace.current?.focus()}>
            Rules
          </Button>
        )}
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The alerts cannot be shown." error={error} onRetry={() => void history.refetch()} />
      )}
      {(history.isPending || rules.isPending) && error === null && <Loading what="alerts" look="rows" />}
      {history.data !== undefined && (
        <section className="panel" aria-labelledby="told-title">
          <div className="panel-head">
            <h2 id="told-title">Sent alerts</h2>
          </div>
          {alerts.length === 0 ? (
            <EmptyState title="No alerts yet">
              <p>When what a rule waits for happens, it is listed here, with who was told.</p>
            </EmptyState>
          ) : (
            <AlertList alerts={alerts} />
          )}
          {history.hasNextPage && (
            <div className="panel-body row">
              <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                Earlier alerts
              </Button>
            </div>
          )}
        </section>
      )}
      {rules.data !== undefined && (
        <section className="panel" aria-labelledby="rules-title" ref={rulesPlace} tabIndex={-1}>
          <div className="panel-head">
            <h2 id="rules-title">Rules</h2>
          </div>
          {rules.data.length === 0 ? (
            <EmptyState title="No rules yet">
              <p>A rule tells somebody when a run fails, a metric passes a value, a sweep ends. Make one below.</p>
            </EmptyState>
          ) : (
            <RuleTable rules={rules.data} mayWrite={mayWrite} />
          )}
        </section>
      )}
      {mayWrite ? (
        <RuleForm key={project} project={project} />
      ) : (
        <p className="muted">Making rules needs a token that may write.</p>
      )}
    </div>
  );
}
