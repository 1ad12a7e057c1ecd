import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { DurationText } from '#web/components/DurationText.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { formatBytes } from '#web/lib/formatBytes.ts';
import { formatDuration } from '#web/lib/formatDuration.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { asPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import { codeOfRun } from './codeOfRun.ts';

type Fact = readonly [name: string, value: ReactNode];

/** Where the run was executed, in what environment, and what it cost. */
export function Circumstances({ run }: { run: RunDetail }) {
  const environment = asPlainObject(run.environment);
  return (
    <section className="panel" aria-labelledby="circumstances-title">
      <h2 className="panel-head" id="circumstances-title">
        Where, and at what cost
      </h2>
      <div className="panel-body">
        <Facts
          facts={[
            ...(run.user === null ? [] : [['Made by', run.user] as const]),
            ...executorFacts(run),
            ...placeFacts(environment),
            ...costFacts(run, environment),
            ...lineageFacts(run),
          ]}
        />
      </div>
    </section>
  );
}

/** Who executes the run: a worker, or a program of the user's own, of which something must be heard now and then. */
function executorFacts(run: RunDetail): Fact[] {
  if (run.leaseSeconds === null || run.lastHeardAt === null) {
    const worker = run.worker?.name || run.attempts.at(-1)?.workerName || '–';
    return [
      ['Worker', run.gpus.length === 0 ? worker : `${worker}, GPU ${run.gpus.join(', ')}`],
      ...(run.state === 'QUEUED' || run.state === 'WAITING' ? [['Priority', run.priority] as const] : []),
      ['Attempt', `${run.attempt} of ${run.maxAttempts}`],
    ];
  }
  return [
    ['Executed by', 'its own program'],
    ...(run.attempt > 1 ? [['Attempt', run.attempt] as const] : []),
    ...(run.endedAt === null
      ? [
          ['Last heard', <TimeText key="heard" time={run.lastHeardAt} />] as const,
          ['Counts as crashed', `after ${formatDuration(run.leaseSeconds * 1000)} of silence`] as const,
        ]
      : []),
  ];
}

function placeFacts(environment: PlainObject): Fact[] {
  const text = (name: string) => (typeof environment[name] === 'string' ? environment[name] : null);
  const code = codeOfRun(environment);
  const device = [text('backend'), text('device') ?? text('cpu')].filter((part) => part !== null).join(' on ');
  const program = [
    text('python') && `Python ${text('python')}`,
    text('node') && `Node ${text('node')?.replace(/^v/, '')}`,
  ];
  return present([
    ['Host', text('host')],
    ['Computed', device],
    ['Environment', [...program, text('platform') ?? text('operatingSystem')].filter(Boolean).join(', ')],
    [
      'Commit',
      code && (
        <span key="commit">
          <code title={code.commit}>{code.commit.slice(0, 12)}</code>
          {code.notes}
        </span>
      ),
    ],
    ['Data', fingerprint(text('fingerprint'))],
  ]);
}

function fingerprint(text: string | null): ReactNode {
  return text === null ? null : (
    <code key="data" title={text}>
      {text.slice(0, 12)}
    </code>
  );
}

function costFacts(run: RunDetail, environment: PlainObject): Fact[] {
  const peak = environment.peakRssMb;
  const timings = Object.entries(asPlainObject(environment.timings)).flatMap(([phase, seconds]) =>
    typeof seconds === 'number' ? `${phase} ${formatDuration(seconds * 1000)}` : [],
  );
  const files = run.artifacts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return present([
    [
      'Took',
      run.startedAt === null ? null : <DurationText key="took" startedAt={run.startedAt} endedAt={run.endedAt} />,
    ],
    ['Of that', timings.slice(0, 4).join(', ')],
    ['Waited', waited(run)],
    ['Peak memory', typeof peak === 'number' ? formatBytes(peak * 1024 * 1024) : null],
    ['Files', run.artifacts.length === 0 ? null : `${formatCount(run.artifacts.length)}, ${formatBytes(files)}`],
    ['Began', run.startedAt === null ? null : <TimeText key="began" time={run.startedAt} />],
    ['Ended', run.endedAt === null ? null : <TimeText key="ended" time={run.endedAt} />],
  ]);
}

/** Runs of programs of one's own never wait. */
function waited(run: RunDetail): ReactNode {
  if (run.leaseSeconds !== null) return null;
  const end = run.startedAt ?? run.endedAt;
  return end === null ? (
    <DurationText key="waited" startedAt={run.createdAt} endedAt={null} />
  ) : (
    formatDuration(Math.max(0, Date.parse(end) - Date.parse(run.createdAt)))
  );
}

/** From which run it branched off, and which branched off from it. */
function lineageFacts({ forkedFrom, forkStep, forks, inputs }: RunDetail): Fact[] {
  const link = (id: string, text: string) => (
    <Link key={id} to="/runs/$runId" params={{ runId: id }}>
      {text}
    </Link>
  );
  const listed = (links: ReactNode[]) => <span>{links.flatMap((one, index) => [index > 0 && ', ', one])}</span>;
  return present([
    [
      'Forked from',
      forkedFrom && (
        <span key="parent">
          {link(forkedFrom.id, `#${forkedFrom.number}`)}, after step {formatCount(Number(forkStep))}
        </span>
      ),
    ],
    ['Forks', forks.length === 0 ? null : listed(forks.map((fork) => link(fork.id, `#${fork.number}`)))],
    ['Uses', inputs.length === 0 ? null : listed(inputs.map((one) => link(one.sourceRunId, one.artifactName)))],
  ]);
}

function present(facts: readonly Fact[]): Fact[] {
  return facts.filter(([, value]) => value !== null && value !== '');
}
