import { Popover } from '#web/components/Popover.tsx';

const EXAMPLES: readonly (readonly [filter: string, meaning: string])[] = [
  ['resnet lr0.01', 'words alone: in the run’s name; 12 is the run of that number'],
  ['state = RUNNING', 'a state; also in (QUEUED, RUNNING)'],
  ['kind = overrec and dataset = "amazon-beauty"', 'what was run on what'],
  ['metric."test/ndcg@10" > 0.02', 'a metric’s last value'],
  ['config.sigmaW < 1', 'a parameter; paths may be nested'],
  ['text.phase = "warm-up"', 'the newest text logged under a name'],
  ['tag = baseline or tag = final', 'has a tag'],
  ['user = ada and created > -7d', 'who made it, and when'],
  ['name like "%beauty%"', '% is any text, _ one character'],
  ['not (metric."test/mrr@5" is null)', 'not, parentheses, null'],
];

/** The filter language by example. */
export function FilterHelp() {
  return (
    <Popover label="Syntax" title="Filter syntax" look="quiet">
      <dl className="filter-help">
        {EXAMPLES.map(([filter, meaning]) => (
          <div key={filter}>
            <dt>
              <code>{filter}</code>
            </dt>
            <dd className="muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="muted filter-help-more">
        Or point at a cell of the table: a right click, or a long press, offers runs with its value and without it.
      </p>
    </Popover>
  );
}
