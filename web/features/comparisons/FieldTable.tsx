import { Fragment, type ReactNode } from 'react';
import { differingParts } from '#src/base/lib/differingParts.ts';
import { shortNumerals } from '#src/base/lib/shortNumerals.ts';
import type { Comparison } from './useComparison.ts';
import { environmentText } from '#web/lib/environmentText.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { comparedGroupLabels } from './comparedLabels.ts';
import { type FieldFold, foldedFields } from './foldedFields.ts';

type Field = Comparison['fields'][number];

export interface FieldTableProps {
  comparison: Comparison;
  fields: readonly Field[];
  /** Facts of code and environment. */
  environment: readonly Field[];
  /** Whether fields that differ stand out; else fields of some kinds alone stand together in a row. */
  marked: boolean;
}

/** More values of one configuration are not told. */
const MOST_VALUES = 3;
/** Characters that a head shows on its three lines. */
const LONGEST_HEAD = 64;
export const MOST_FIELD_ROWS = 100;

/** Fields of compared runs: a column a configuration, its runs together. */
export function FieldTable({ comparison, fields, environment, marked }: FieldTableProps) {
  const { groups, runs } = comparison;
  const labels = comparedGroupLabels(comparison);
  const heads = differingParts(labels, LONGEST_HEAD);
  const members = groups.map(({ runIds }) => runIds.map((id) => runs.findIndex((run) => run.id === id)));
  const { rows: shown, folds } = marked ? { rows: fields, folds: [] } : foldedFields(runs, fields);
  const around = marked ? { rows: environment, folds: [] } : foldedFields(runs, environment);
  const rows = (some: readonly Field[], textOf: (path: string, value: unknown) => string) =>
    some.slice(0, MOST_FIELD_ROWS).map((field) => {
      const whole = field.values.map((value) => textOf(field.path, value ?? undefined));
      const short = shortNumerals(whole);
      return (
        <tr key={field.path} className={field.differs && marked ? 'compare-differs' : undefined}>
          <th scope="row">
            <code title={field.path}>{breakable(field.path.replace(/^parameters\./, ''))}</code>
          </th>
          {members.map((indexes, group) => (
            <td key={groups[group]?.configuration.hash} title={titleOf(whole, short, indexes)}>
              {valuesText(short, indexes)}
            </td>
          ))}
        </tr>
      );
    });
  if (fields.length + environment.length === 0) {
    return <p className="panel-body muted">The runs have the same configuration, code and environment.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="table-scroll compare-scroll" aria-label="Configuration fields" tabIndex={0}>
      <table className="table compare-table compare-fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {groups.map((group, index) => (
              <th scope="col" key={group.configuration.hash} title={labels[index]}>
                <span className="compare-head">{heads[index]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows(shown, (_, value) => formatValue(value))}
          {folds.map((fold) => (
            <FoldRow key={fold.title} fold={fold} columns={groups.length} textOf={(_, value) => formatValue(value)} />
          ))}
          {environment.length > 0 && (
            <tr>
              <th scope="rowgroup" className="muted" colSpan={groups.length + 1}>
                Code and environment
              </th>
            </tr>
          )}
          {rows(around.rows, environmentText)}
          {around.folds.map((fold) => (
            <FoldRow key={fold.title} fold={fold} columns={groups.length} textOf={environmentText} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FoldRowProps {
  fold: FieldFold;
  columns: number;
  textOf(path: string, value: unknown): string;
}

/** Fields that some kinds have alone, with their values, in one row. */
function FoldRow({ fold: { title, fields }, columns, textOf }: FoldRowProps) {
  return (
    <tr className="compare-fold">
      <th scope="row">
        {fields.length === 1 ? '1 field' : `${fields.length} fields`} of {title}
      </th>
      <td colSpan={columns}>
        {fields.slice(0, MOST_FIELD_ROWS).map(({ field, value }) => (
          <span key={field.path}>
            <code>{field.path.replace(/^parameters\./, '')}</code> {shortNumerals([textOf(field.path, value)])}
          </span>
        ))}
      </td>
    </tr>
  );
}

/** A path that breaks before a dot where it has no room. */
function breakable(path: string): ReactNode {
  return path.split('.').map((part, place, parts) => (
    <Fragment key={parts.slice(0, place + 1).join('.')}>
      {place > 0 && <wbr />}
      {place > 0 ? `.${part}` : part}
    </Fragment>
  ));
}

/** The values in all digits, where some are not shown. */
function titleOf(whole: readonly string[], short: readonly string[], indexes: readonly number[]): string | undefined {
  return indexes.every((index) => whole[index] === short[index]) ? undefined : valuesText(whole, indexes);
}

/** The values of the runs of one configuration, each once. */
function valuesText(ofRuns: readonly string[], indexes: readonly number[]): string {
  const texts = [...new Set(indexes.map((index) => ofRuns[index] ?? ''))];
  const more = texts.length - MOST_VALUES;
  return more > 0 ? `${texts.slice(0, MOST_VALUES).join(', ')} and ${more} more` : texts.join(', ');
}
