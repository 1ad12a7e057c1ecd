import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { type StudyDetails, useStudy, exportStudy, type StudyClaim } from './useStudies.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { formatNumber, formatProbability } from '#web/lib/formatNumber.ts';
import { type MetricValue, toNumber } from '#src/base/lib/metricValue.ts';
import { RunLinks } from './RunLinks.tsx';
import { VerdictMark } from './VerdictMark.tsx';
import './reproductions.css';
import { showToast } from '#web/components/toasts.ts';
import type { StudyFormat } from '#web/generated/graphql.ts';
import { saveFile } from '#web/lib/saveFile.ts';
import { QueueStudyDialog } from './QueueStudyDialog.tsx';
import { StudyFigures } from './StudyFigures.tsx';
import { StudyTable } from './StudyTable.tsx';

/** What the paper says, and what the runs say of it. */
function ClaimList({ claims }: { claims: readonly StudyClaim[] }) {
  return (
    <section className="panel" aria-labelledby="claims">
      <div className="panel-body">
        <h2 id="claims">Claims</h2>
      </div>
      <ol className="study-claims">
        {claims.map((claim) => (
          <li key={claim.name}>
            <p>
              <VerdictMark verdict={claim.verdict} /> <strong>{claim.text}</strong>{' '}
              <span className="muted">{claim.source}</span>
            </p>
            {claim.reason !== '' && <p className="muted">{claim.reason}</p>}
            {claim.statements.some(({ difference }) => difference !== null) && <Statements claim={claim} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Statements({ claim: { statements, text } }: { claim: StudyClaim }) {
  return (
    <div className="table-scroll">
      <table className="table study-statements">
        <caption className="visually-hidden">Tests of: {text}</caption>
        <thead>
          <tr>
            <th scope="col">Statement</th>
            <th scope="col">Verdict</th>
            <th scope="col" className="number">
              Difference or value, 95 % interval
            </th>
            <th scope="col" className="number">
              p after Holm
            </th>
            <th scope="col">Test</th>
            <th scope="col">Runs</th>
          </tr>
        </thead>
        <tbody>
          {statements.map((statement) => (
            <tr key={statement.words}>
              <th scope="row">{statement.words}</th>
              <td>
                <VerdictMark verdict={statement.verdict} />
              </td>
              <td className="number">{valueText(statement)}</td>
              <td className="number">{statement.pHolm === null ? '–' : formatProbability(statement.pHolm)}</td>
              <td>{[statement.test, statement.reason].filter((part) => part !== '').join('; ') || '–'}</td>
              <td>
                <RunLinks runs={statement.runs} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function valueText({ difference, low, high }: StudyClaim['statements'][number]): string {
  if (difference === null) return '–';
  const shown = (value: MetricValue) => formatNumber(toNumber(value));
  return low === null || high === null ? shown(difference) : `${shown(difference)} [${shown(low)}, ${shown(high)}]`;
}

const FORMATS: readonly { format: StudyFormat; label: string; ending: string; type: string; ofTables?: true }[] = [
  { format: 'MARKDOWN', label: 'Markdown', ending: 'md', type: 'text/markdown' },
  { format: 'LATEX', label: 'LaTeX', ending: 'tex', type: 'application/x-tex', ofTables: true },
  { format: 'CSV', label: 'CSV', ending: 'csv', type: 'text/csv', ofTables: true },
  { format: 'JSON', label: 'JSON', ending: 'json', type: 'application/json' },
];

/** Saves the study as a file. */
function ExportButtons({ name, hasTable }: { name: string; hasTable: boolean }) {
  const save = async ({ format, ending, type }: (typeof FORMATS)[number]) => {
    try {
      const text = await exportStudy(name, format);
      saveFile(new Blob([text], { type }), `${name.replaceAll('/', '-')}.${ending}`);
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), { error: true });
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a line of controls
    <div className="study-exports" role="group" aria-label="Export">
      {FORMATS.filter(({ ofTables }) => hasTable || ofTables !== true).map((format) => (
        <Button key={format.format} title={`Save as ${format.label}`} onClick={() => void save(format)}>
          {format.label}
        </Button>
      ))}
    </div>
  );
}

/** A table or a figure of a paper beside what its runs have measured. */
export function StudyPage() {
  const { _splat: name = '' } = useParams({ strict: false });
  useTitle(name);
  const { data: study, error, refetch } = useStudy(name);
  if (error !== null && !isNetworkError(error)) {
    return (
      <div className="page">
        <h1>{name}</h1>
        <ErrorNotice title="The study cannot be shown." error={error} onRetry={() => void refetch()} />
        <p>
          <Link to="/reproductions">All reproductions</Link>
        </p>
      </div>
    );
  }
  if (study === undefined) return <Loading what={name} />;
  return (
    <div className="page">
      <StudyHead study={study} />
      {study.cells.length > 0 && <StudyTable study={study} />}
      {study.figures.length > 0 && <StudyFigures figures={study.figures} />}
      {study.claims.length > 0 && <ClaimList claims={study.claims} />}
      {study.audits.length > 0 && <Audits audits={study.audits} />}
      <Provenance provenance={study.provenance} />
    </div>
  );
}

function StudyHead({ study }: { study: StudyDetails }) {
  const { name, title, source, notes, notRunnable, state, paperReference } = study;
  const [asking, setAsking] = useState(false);
  return (
    <>
      <div className="page-head study-head">
        <div>
          <p className="muted">
            <Link to="/reproductions">Reproductions</Link> / {name}
          </p>
          <h1>{title}</h1>
        </div>
        <div className="study-actions">
          {notRunnable === null && (
            <Button look="primary" onClick={() => setAsking(true)}>
              Queue runs…
            </Button>
          )}
          <ExportButtons name={name} hasTable={study.cells.length > 0} />
        </div>
      </div>
      <section className="panel panel-body study-about" aria-label="About">
        <p>
          <VerdictMark verdict={state} /> {source}. {paperReference}
        </p>
        {notes !== '' && <p>{withCode(notes)}</p>}
        {notRunnable !== null && <p>Cannot be run: {notRunnable}.</p>}
      </section>
      {asking && <QueueStudyDialog study={study} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Text in which backticks mark names of settings. */
function withCode(text: string) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change their order
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

function Audits({ audits }: { audits: StudyDetails['audits'] }) {
  return (
    <section className="panel panel-body" aria-labelledby="audits">
      <h2 id="audits">Computed again</h2>
      <ul className="study-plain">
        {audits.map(({ arm, seed, first, again, agrees, reason }) => (
          <li key={again}>
            <VerdictMark verdict={agrees === null ? 'RUNNING' : agrees ? 'AGREES' : 'DIFFERS'} /> {arm}, seed {seed}:{' '}
            <Link to="/runs/$runId" params={{ runId: String(again) }}>
              run {again}
            </Link>{' '}
            repeats{' '}
            <Link to="/runs/$runId" params={{ runId: String(first) }}>
              run {first}
            </Link>
            {reason === '' ? '' : `: ${reason}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Provenance({ provenance: { commits, machines, from, to } }: Pick<StudyDetails, 'provenance'>) {
  if (from === null || to === null) return null;
  const days = [...new Set([from.slice(0, 10), to.slice(0, 10)])].join(' to ');
  const code = commits.map((commit) => commit.slice(0, 12)).join(', ');
  return (
    <p className="muted">
      Computed {days}
      {code !== '' && ` by ${code}`}
      {machines.length > 0 && ` on ${machines.join(', ')}`}.
    </p>
  );
}
