import { CURVE_COUNTS } from '#src/base/contracts/workspace.ts';
import { Button } from '#web/components/Button.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { formatCount } from '#web/lib/formatNumber.ts';
import { AddPanel } from './AddPanel.tsx';
import { ColorChoice } from './ColorChoice.tsx';
import { fullSettings } from './curveSettings.ts';
import { PanelSettings } from './PanelSettings.tsx';
import type { SubjectUnit } from './subjects.ts';
import type { SharedTable } from './usePanelSharing.ts';

type CurveCountProps = Pick<SharedTable, 'workspace' | 'onWorkspace' | 'unit' | 'subjects' | 'totalCount'>;

export interface WorkspaceToolsProps extends CurveCountProps {
  runs: SharedTable['runs'];
  metrics: readonly string[];
  fields: readonly string[];
  /** What panels are looked for by. */
  search: string;
  onSearch(text: string): void;
  /** Brings all panels back that were removed. */
  onBringBack(): void;
}

/** What panels there are, whose curves they show and how. */
export function WorkspaceTools({
  runs,
  metrics,
  fields,
  search,
  onSearch,
  onBringBack,
  ...props
}: WorkspaceToolsProps) {
  const { workspace, onWorkspace, unit, subjects } = props;
  const hiddenCount = subjects.filter(({ id }) => workspace.hidden.includes(id)).length;
  return (
    <div className="row workspace-tools">
      <input
        className="input workspace-search"
        type="search"
        aria-label="Find panels"
        placeholder="Find panels"
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <CurveCount {...props} />
      {unit !== 'groups' && (
        <label className="check">
          <input
            type="checkbox"
            checked={workspace.replicates}
            onChange={({ target }) => onWorkspace({ ...workspace, replicates: target.checked })}
          />
          replicates as one
        </label>
      )}
      <ColorChoice
        colorBy={workspace.colorBy}
        runs={runs}
        onChange={(colorBy) => onWorkspace({ ...workspace, colorBy })}
      />
      <span className="spread" />
      <AddPanel
        metrics={metrics}
        fields={fields}
        taken={workspace.panels.map(({ id }) => id)}
        onAdd={(panel) => onWorkspace({ ...workspace, panels: [...workspace.panels, panel] })}
      />
      <Popover label="Settings" name="Settings of all panels" title="Settings of all panels">
        <PanelSettings
          settings={workspace.settings}
          full={fullSettings(workspace.settings, {})}
          metrics={metrics}
          withRanges={false}
          onChange={(settings) => onWorkspace({ ...workspace, settings })}
        />
      </Popover>
      {hiddenCount > 0 && (
        <Button look="quiet" onClick={() => onWorkspace({ ...workspace, hidden: [] })}>
          Show {hiddenCount === 1 ? '1 hidden curve' : `${hiddenCount} hidden curves`}
        </Button>
      )}
      {workspace.removed.length > 0 && (
        <Button look="quiet" onClick={onBringBack}>
          Bring back {workspace.removed.length} removed
        </Button>
      )}
    </div>
  );
}

/** How many subjects have curves. */
function CurveCount({ workspace, onWorkspace, unit, subjects, totalCount }: CurveCountProps) {
  return (
    <label className="check">
      <span className="muted">first</span>
      <select
        className="input"
        aria-label={`How many ${unit} have curves`}
        value={workspace.curves}
        onChange={({ target }) => onWorkspace({ ...workspace, curves: Number(target.value) })}
      >
        {[...new Set([...CURVE_COUNTS, workspace.curves])]
          .sort((a, b) => a - b)
          .map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
      </select>
      <span className="muted" aria-live="polite">
        {shownWords(unit, subjects.length, totalCount)}
      </span>
    </label>
  );
}

function shownWords(unit: SubjectUnit, shownCount: number, totalCount: number): string {
  if (unit === 'configurations') return `runs, ${shownCount} configurations`;
  if (shownCount < totalCount) return `${shownCount} of ${formatCount(totalCount)} ${unit} shown`;
  return totalCount === 1 ? `1 ${unit.replace(/s$/, '')} shown` : `all ${formatCount(totalCount)} ${unit} shown`;
}
