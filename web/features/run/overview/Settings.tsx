import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { leavesByName } from '#web/lib/leavesByName.ts';
import { asPlainObject } from '#src/base/lib/plainObject.ts';

const MOST_ROWS = 9;

/** What of the configuration differs from its preset, or from the defaults; of a program of one's own all parameters. */
export function Settings({ run }: { run: RunDetail }) {
  const { presetDifferences: differences, preset } = run;
  const own = leavesByName(asPlainObject(run.configuration.parameters));
  const rows: readonly (readonly [path: string, value: unknown, usual?: unknown])[] =
    differences === null ? own : differences.map(({ path, value, usual }) => [path, value, usual]);
  const base = preset ?? 'the defaults';
  return (
    <section className="panel" aria-labelledby="settings-title">
      <div className="panel-head">
        <h2 id="settings-title">{differences === null ? 'Parameters' : 'Configuration'}</h2>
        {differences !== null && (
          <span className="muted overview-base" title={base}>
            {rows.length === 0 ? 'is that of ' : 'differs from '}
            {preset === null ? base : <code>{preset}</code>}
          </span>
        )}
      </div>
      {rows.length > 0 && (
        <table className="table value-table overview-settings">
          <thead className="visually-hidden">
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              {differences !== null && <th scope="col">Usual</th>}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map(([path, value, usual]) => (
              <tr key={path}>
                <th scope="row">
                  <code>
                    <BrokenPath path={path} />
                  </code>
                </th>
                <td>
                  <span className="overview-setting" title={formatValue(value)}>
                    {formatValue(value)}
                  </span>
                </td>
                {differences !== null && (
                  <td className="muted">
                    {usual == null ? (preset === null ? 'no default' : 'not in it') : `not ${formatValue(usual)}`}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && differences === null && <p className="panel-body muted">It has none.</p>}
      <p className="overview-foot">
        <Link to="/runs/$runId" params={{ runId: run.id }} search={{ tab: 'configuration' }} replace>
          {rows.length > MOST_ROWS ? `${rows.length - MOST_ROWS} more, and all` : 'All'} of the configuration
        </Link>
      </p>
    </section>
  );
}

/** A path that goes to the next line at a dot, where it must. */
function BrokenPath({ path }: { path: string }) {
  return path.split('.').map((segment, index, all) => (
    <Fragment key={all.slice(0, index + 1).join('.')}>
      {index > 0 && (
        <>
          .<wbr />
        </>
      )}
      {segment}
    </Fragment>
  ));
}
