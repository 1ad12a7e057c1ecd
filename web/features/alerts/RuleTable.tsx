import { alertConditionText } from '#src/base/contracts/alertConditionText.ts';
import { useState } from 'react';
import { formatNumber } from '#web/lib/formatNumber.ts';
import { type AlertRuleRow, useSaveAlertRule, useTestAlertRule } from './useAlerts.ts';
import { Button } from '#web/components/Button.tsx';
import { showToast } from '#web/components/toasts.ts';
import { DeleteRuleDialog } from './DeleteRuleDialog.tsx';

/** Rules, one a row, with what can be done to each. */
export function RuleTable({ rules, mayWrite }: { rules: readonly AlertRuleRow[]; mayWrite: boolean }) {
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
