import { createContext, useContext } from 'react';
import type { Panel, Workspace } from '#src/base/contracts/workspace.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import type { CurveStore } from '#web/features/metrics/curveStore.ts';
import type { MatchingRuns } from '#web/features/runs/useRunPages.ts';
import type { SharedCursor } from '#web/charts/lines/LinePlot.tsx';
import type { Store } from '#web/lib/store.ts';
import type { CurveAct } from '../shared/CurveToggle.tsx';
import type { Subject, SubjectRun } from './subjects.ts';

/** What all panels of a workspace share. */
export interface PanelShared {
  workspace: Workspace;
  onWorkspace(workspace: Workspace): void;
  onRemove(panel: Panel): void;
  /** The block of a report that draws what a panel does; null for panels that reports do not have. */
  blockOf(panel: Panel): string | null;
  store: CurveStore;
  /** Those whose curves are drawn. */
  subjects: readonly Subject[];
  /** The hidden ones, too, for legends. */
  allSubjects: readonly Subject[];
  /** The runs that panels without curves draw: all that the table has loaded. */
  runs: readonly SubjectRun[];
  /** All runs that the table shows one by one, loaded or not; left out where it shows something else. */
  matching?: { runs: MatchingRuns; totalCount: number } | undefined;
  /** Metrics of the project, and fields of its configurations. */
  metrics: readonly string[];
  fields: readonly string[];
  inTrash: boolean;
  /** The run or group that is looked at, by the id of its subject. */
  lit: Store<string | null>;
  cursor: Store<SharedCursor | null>;
  /** Does something with the curve of a subject; undefined where nothing can be done. */
  onCurve?: ((subject: string, act: CurveAct) => void) | undefined;
  onOpen(subject: string): void;
  /** Narrows the table by a filter. */
  onFilter(filter: string): void;
}

export const PanelContext = createContext<PanelShared | null>(null);

export function usePanelShared(): PanelShared {
  const shared = useContext(PanelContext);
  invariant(shared !== null, 'a panel stands outside of its workspace');
  return shared;
}

/** How a panel is drawn anew elsewhere, and its data as CSV. */
export interface PanelPicture {
  /** In the colors of the page, or of another theme, which the page must then have. */
  draw(area: import('#web/charts/plot/plotCanvas.ts').PlotArea, theme?: string): void;
  csv(): string;
  /** What the colors mean; empty where they mean nothing. */
  legend: readonly { label: string; style: import('#web/charts/seriesStyle.ts').SeriesStyle }[];
}
