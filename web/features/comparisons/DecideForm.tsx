import { usePrimaryMetrics } from '#web/features/metrics/usePrimaryMetrics.ts';
import { metricOrder } from '#web/lib/metricOrder.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Comparison } from './useComparison.ts';
import { betterText, useDecide, useDecisions } from '#web/features/decisions/useDecision.ts';
import { Button } from '#web/components/Button.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { showToast } from '#web/components/toasts.ts';
import { DECISION_CAUTION } from '#src/statistics/testWords.ts';

/** Starts an adaptive comparison of the two configurations that are compared, and lists those there are of them. */
export function DecideForm({ comparison, metric: likely }: { comparison: Comparison; metric: string | null }) {
  const { groups, runs, metrics } = comparison;
  const primary = usePrimaryMetrics(runs);
  const all = metrics.map(({ name }) => name).filter((name) => !name.startsWith('system/'));
  const names = all.sort(metricOrder(all, primary));
  const [chosen, setMetric] = useState<string | null>(null);
  // what was asked of users may be logged by nobody
  const metric = [chosen, likely].find((name) => name !== null && names.includes(name)) ?? names[0] ?? '';
  const [alpha, setAlpha] = useState('0.05');
  const [power, setPower] = useState('0.8');
  const [atMost, setAtMost] = useState('20');
  const navigate = useNavigate();
  const decide = useDecide();
  const [a, b] = groups.map(({ runIds }) => runs.find(({ id }) => id === runIds[0]));
  if (groups.length !== 2 || a === undefined || b === undefined) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { a: a.id, b: b.id, metric, alpha: Number(alpha), power: Number(power), atMost: Number(atMost) };
    decide.mutate(input, {
      onSuccess: ({ number }) =>
        void navigate({ to: '/decisions/$decisionId', params: { decisionId: String(number) } }),
      onError: (error) => showToast(error.message, { error: true }),
    });
  };
  return (
    <section className="panel" aria-labelledby="decide-title">
      <div className="panel-head">
        <h2 id="decide-title">Run seeds until it is decided</h2>
      </div>
      <form className="panel-body row compare-decide" onSubmit={submit}>
        <label className="row">
          Metric
          <select className="input" value={metric} onChange={(event) => setMetric(event.target.value)}>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <NumberField label="Alpha" value={alpha} onChange={setAlpha} />
        <NumberField label="Power" value={power} onChange={setPower} />
        <NumberField label="Pairs at most" value={atMost} onChange={setAtMost} />
        <Button look="primary" type="submit" disabled={decide.isPending || metric === ''}>
          Decide
        </Button>
      </form>
      <p className="panel-body muted compare-legend">
        Queues runs of both with the same seeds, pair after pair, and tests after each by boundaries that keep alpha
        over all looks, until the difference is decided, more seeds would be futile, or all pairs are there. Finished
        runs are reused. {DECISION_CAUTION} <Link to="/decisions">All decisions</Link>
      </p>
      <Decisions a={a.configuration.hash} b={b.configuration.hash} />
    </section>
  );
}

function NumberField({ label, value, onChange }: { label: string; value: string; onChange(value: string): void }) {
  return (
    <label className="row">
      {label}
      <input
        className="input compare-number"
        inputMode="decimal"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

function Decisions({ a, b }: { a: string; b: string }) {
  const { data } = useDecisions(null);
  const newest = data?.pages[0] ?? [];
  const own = newest.filter((one) => [one.a, one.b].every(({ configurationHash: hash }) => hash === a || hash === b));
  if (own.length === 0) return null;
  return (
    <ul className="panel-body compare-decisions" aria-label="Decisions of these configurations">
      {own.map((one) => (
        <li key={one.id} className="row">
          <Link to="/decisions/$decisionId" params={{ decisionId: String(one.number) }}>
            Decision {one.number}, {one.metric}
          </Link>
          <StateBadge state={one.state} />
          {betterText(one)}
        </li>
      ))}
    </ul>
  );
}
