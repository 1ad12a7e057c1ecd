import { Link } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { type StudyEntry, useStudies } from './useStudies.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useNarrow } from '#web/components/useNarrow.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { VerdictMark } from './VerdictMark.tsx';
import './reproductions.css';

/** Every table and figure of the papers, by paper, with how far it is. */
export function ReproductionsPage() {
  useTitle('Reproductions');
  const { data, error, refetch } = useStudies();
  const papers = new Map<string, StudyEntry[]>();
  for (const study of data ?? []) papers.set(study.paper, [...(papers.get(study.paper) ?? []), study]);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Reproductions</h1>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The reproductions cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="reproductions" look="rows" lines={15} />}
      {[...papers].map(([paper, studies]) => (
        <PaperSection key={paper} studies={studies} />
      ))}
    </div>
  );
}

function PaperSection({ studies }: { studies: readonly StudyEntry[] }) {
  const [first] = studies;
  const narrow = useNarrow();
  const [authors = '', title = '', ...rest] = paperParts(first?.paperReference ?? '');
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-body study-paper">
        <h2>{title}</h2>
        <p className="muted">{[authors, ...rest].filter((part) => part !== '').join('. ')}</p>
      </div>
      {narrow ? <NarrowList studies={studies} /> : <StudyList studies={studies} />}
    </section>
  );
}

interface StudiesProps {
  studies: readonly StudyEntry[];
}

function StudyList({ studies }: StudiesProps) {
  return (
    <div className="table-scroll">
      <table className="table study-list">
        <thead>
          <tr>
            <th scope="col">Study</th>
            <th scope="col">Shows</th>
            <th scope="col">State</th>
            <th scope="col">Cells</th>
            <th scope="col">Claims</th>
          </tr>
        </thead>
        <tbody>
          {studies.map((study) => (
            <tr key={study.name}>
              <th scope="row">
                <StudyLink name={study.name} />
              </th>
              <td>
                {study.title}
                <div className="muted">{study.notRunnable ?? study.source}</div>
              </td>
              <td>
                <VerdictMark verdict={study.state} />
              </td>
              <td>
                <Counts verdicts={study.cells.map(({ verdict }) => verdict)} />
              </td>
              <td>
                <Counts verdicts={study.claims.map(({ verdict }) => verdict)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** On a phone: what stands in columns elsewhere stands below the name, and below the state. */
function NarrowList({ studies }: StudiesProps) {
  return (
    <table className="table study-narrow">
      <thead>
        <tr>
          <th scope="col">Study</th>
          <th scope="col">State, cells, claims</th>
        </tr>
      </thead>
      <tbody>
        {studies.map((study) => (
          <tr key={study.name}>
            <th scope="row">
              <StudyLink name={study.name} />
              <div className="muted">{study.title}</div>
            </th>
            <td>
              <VerdictMark verdict={study.state} />
              {study.cells.length > 0 && <Counts verdicts={study.cells.map(({ verdict }) => verdict)} />}
              {study.claims.length > 0 && <Counts verdicts={study.claims.map(({ verdict }) => verdict)} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function StudyLink({ name }: { name: string }) {
  return (
    <Link to="/reproductions/$" params={{ _splat: name }}>
      {name}
    </Link>
  );
}

/** Authors, title and place of a reference; authors end where a word of more than one letter ends with a period. */
function paperParts(reference: string): string[] {
  const found = /^((?:[A-Z]\. [^.]+?(?:, |\. ))+)?(.+?)\. (.+?)\.?$/.exec(reference);
  if (found === null) return ['', reference];
  return [(found[1] ?? '').replace(/\. $/, ''), found[2] ?? '', found[3] ?? ''];
}

const ORDER = [
  ...(['AGREES', 'DIFFERS', 'UNDECIDED', 'SHORTENED', 'NOT_PRINTED', 'NOT_RUN', 'NOT_RUNNABLE'] as const),
  ...(['CONFIRMED', 'REFUTED', 'UNDECIDED'] as const),
];

/** How many there are of each verdict. */
export function Counts({ verdicts }: { verdicts: readonly (typeof ORDER)[number][] }) {
  if (verdicts.length === 0) return <span className="muted">–</span>;
  return (
    <span className="verdict-counts">
      {ORDER.map((verdict) => {
        const count = verdicts.filter((one) => one === verdict).length;
        return count === 0 ? null : <VerdictMark key={verdict} verdict={verdict} count={count} />;
      })}
    </span>
  );
}
