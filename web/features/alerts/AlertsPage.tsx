import { useNavigate, useSearch, Link } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import {
  useAlertHistory,
  useAlertRules,
  type ToldAlert,
  type AlertRuleRow,
  useSaveAlertRule,
  useTestAlertRule,
  useDeleteAlertRule,
} from './useAlerts.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { useEffect, useRef, useState } from 'react';
import { ProjectPicker } from '../runs/ProjectPicker.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { RuleForm } from './RuleForm.tsx';
import { alertConditionText } from '#src/base/contracts/alertConditionText.ts';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { showToast } from '#web/components/toasts.ts';
import { Dialog } from '#web/components/Dialog.tsx';
import { markAlertsSeen } from './seenAlerts.ts';
import './alerts.css';

/** Asks before a rule is deleted: it does not come back, nor does its secret. */
function DeleteRuleDialog({ rule, onClose }: { rule: AlertRuleRow; onClose(): void }) {
  const { id, number, name } = rule;
  const remove = useDeleteAlertRule();
  const onSuccess = () => {
    showToast(`${name} is deleted.`);
    onClose();
  };
  return (
    <Dialog title={`Delete rule ${number}?`} onClose={onClose}>
      <p>
        “{name}” tells nobody any more, and the secret by which receivers check its messages goes with it. What it has
        told stays. To silence it for a while, switch it off.
      </p>
      {remove.error !== null && <ErrorNotice title="Not deleted." error={remove.error} />}
      <div className="dialog-foot">
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" disabled={remove.isPending} onClick={() => remove.mutate(id, { onSuccess })}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}

/** Rules, one a row, with what can be done to each. */
function RuleTable({ rules, mayWrite }: { rules: readonly AlertRuleRow[]; mayWrite: boolean }) {
  return (
    <section
      className="table-scroll"
      aria-label="Rules table"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="number">
              #
            </th>
            <th scope="col">Name</th>
            <th scope="col">When</th>
            <th scope="col">Which runs</th>
            <th scope="col">To</th>
            <th scope="col">State</th>
            {mayWrite && <th scope="col">Change</th>}
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleLine key={rule.id} rule={rule} mayWrite={mayWrite} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function RuleLine({ rule, mayWrite }: { rule: AlertRuleRow; mayWrite: boolean }) {
  const { number, name, project, filter, channels, enabled, problem } = rule;
  return (
    <tr>
      <td className="number">{number}</td>
      <th scope="row">
        <span className="long-name" title={name}>
          {name}
        </span>
      </th>
      <td>{alertConditionText(rule.condition, (value) => formatNumber(value, 6))}</td>
      <td>
        {project === null ? 'all projects' : project.name}
        {filter !== '' && (
          <>
            {': '}
            <code>{filter}</code>
          </>
        )}
      </td>
      <td>{channels.length === 0 ? 'this page' : channels.map(({ address }) => address).join(', ')}</td>
      <td>{problem !== null ? <span className="state state-failed">✕ {problem}</span> : enabled ? '● on' : '○ off'}</td>
      {mayWrite && (
        <td>
          <RuleButtons rule={rule} />
        </td>
      )}
    </tr>
  );
}

function RuleButtons({ rule }: { rule: AlertRuleRow }) {
  const { id, name, enabled } = rule;
  const save = useSaveAlertRule();
  const [deleting, setDeleting] = useState(false);
  const test = useTestAlertRule();
  const onError = (error: Error) => showToast(error.message, { error: true });
  return (
    <div className="rule-buttons">
      <Button
        look="quiet"
        disabled={save.isPending}
        aria-label={`Switch ${enabled ? 'off' : 'on'} ${name}`}
        onClick={() => save.mutate({ id, enabled: !enabled }, { onError })}
      >
        {enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Button
        look="quiet"
        disabled={test.isPending}
        aria-label={`Test ${name}`}
        onClick={() => test.mutate(id, { onError, onSuccess: () => showToast(`A test of ${name} is on its way.`) })}
      >
        Test
      </Button>
      <Button look="quiet" aria-label={`Delete ${name}`} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      {deleting && <DeleteRuleDialog rule={rule} onClose={() => setDeleting(false)} />}
    </div>
  );
}

const LEVELS = { info: ['i', 'information'], warn: ['!', 'warning'], error: ['✕', 'error'] } as const;

/** Alerts, the newest first, each with its messages. */
function AlertList({ alerts }: { alerts: readonly ToldAlert[] }) {
  return (
    <ul className="plain-list">
      {alerts.map((alert) => (
        <AlertEntry key={alert.id} alert={alert} />
      ))}
    </ul>
  );
}

function AlertEntry({ alert }: { alert: ToldAlert }) {
  const { level, title, text, run, rule, messages, createdAt } = alert;
  const [mark, word] = LEVELS[level];
  return (
    <li className="alert-entry">
      <span className={`alert-mark alert-${level}`} role="img" aria-label={word}>
        {mark}
      </span>
      <div className="alert-body">
        <div className="alert-title">
          {run === null ? (
            title
          ) : (
            <Link to="/runs/$runId" params={{ runId: String(run.number) }}>
              {title}
            </Link>
          )}
        </div>
        {text !== '' && <div className="alert-text">{text}</div>}
        <div className="muted alert-facts">
          <TimeText time={createdAt} />
          <span>{rule === null ? 'raised by its program' : `rule ${rule.number}, ${rule.name}`}</span>
          {messages.map((message) => (
            <MessageText key={message.id} message={message} />
          ))}
        </div>
      </div>
    </li>
  );
}

function MessageText({ message }: { message: ToldAlert['messages'][number] }) {
  const { state, channel, attempts, problem } = message;
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  if (state === 'SENT') return <span className="state state-succeeded">✓ sent to {channel.address}</span>;
  if (state === 'PENDING' && problem === null) return <span>◌ on its way to {channel.address}</span>;
  const failed = state === 'FAILED';
  return (
    <span className={failed ? 'state state-failed' : 'alert-again'}>
      {failed ? '✕ given up' : '◌ to be sent again'}: {channel.address}, {tries}
      {problem !== null && `, ${problem}`}
    </span>
  );
}

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
