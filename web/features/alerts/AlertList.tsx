import { Link } from '@tanstack/react-router';
import type { ToldAlert } from './useAlerts.ts';
import { TimeText } from '#web/components/TimeText.tsx';

const LEVELS = { info: ['i', 'information'], warn: ['!', 'warning'], error: ['✕', 'error'] } as const;

/** Alerts, the newest first, each with its messages. */
export function AlertList({ alerts }: { alerts: readonly ToldAlert[] }) {
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
