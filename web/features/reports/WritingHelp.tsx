import { Popover } from '#web/components/Popover.tsx';

/** How a report is written, in short. */
export function WritingHelp() {
  return (
    <Popover label="Help" title="How a report is written" look="quiet">
      <div className="stack report-help">
        <p>Text is Markdown: # heads, **bold**, lists, tables, links. A citation or a block is drawn from the runs.</p>
        <dl>
          <dt>
            <code>[[run 12]]</code>
          </dt>
          <dd>the run with its name and state</dd>
          <dt>
            <code>[[run 12: test/ndcg@10]]</code>
          </dt>
          <dd>its value</dd>
          <dt>
            <code>[[runs 4-6, 9: test/ndcg@10]]</code>
          </dt>
          <dd>mean ± standard deviation (number of runs)</dd>
          <dt>
            <code>[[compare 12, 14-16]]</code>
          </dt>
          <dd>the comparison of these runs</dd>
          <dt>
            <code>```warren-panel</code>
          </dt>
          <dd>
            a figure: metric, kind (line, scatter, bar, box, parallel, importance, heat), fields, x, log y, smoothing,
            band, colors by
          </dd>
          <dt>
            <code>```warren-table</code>
          </dt>
          <dd>a table: metrics, columns, group by, baseline (number of a run), values, order</dd>
          <dt>
            <code>```warren-comparison</code>
          </dt>
          <dd>verdicts: runs, metrics, baseline, pairs (seeds or users), show (verdict or differences)</dd>
        </dl>
        <p>
          Figures and tables take runs (12, 14-16) or filter, as in the table of runs, and project, first, title. Each
          stands in a line of its own: <code>metric: valid/loss</code>.
        </p>
      </div>
    </Popover>
  );
}
