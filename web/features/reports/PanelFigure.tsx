import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import {
  groupOrderOf,
  type PanelBlock,
  panelGroupMetrics,
  panelOrderOf,
  selectionOf,
} from '#src/base/contracts/report/reportBlock.ts';
import { workspaceSchema } from '#src/base/contracts/workspace.ts';
import { shownGroups } from '#src/base/lib/shownGroups.ts';
import { useCurveStore } from '#web/features/metrics/useCurves.ts';
import { useReportGroups, useReportRuns } from './useReportData.ts';
import type { SharedCursor } from '#web/charts/lines/LinePlot.tsx';
import { readFormula } from '#web/lib/curves/formula.ts';
import { createStore } from '#web/lib/store.ts';
import { columnOfField } from '#web/lib/runColumn.ts';
import { ColorKeys } from '../workspace/ColorChoice.tsx';
import { coloredSubjects, WITHOUT } from '../workspace/curveColors.ts';
import { PanelBody } from '../workspace/PanelBody.tsx';
import { PanelContext, type PanelPicture } from '../workspace/panelContext.ts';
import { panelTitle } from '../workspace/panelTitle.ts';
import { SubjectLegend } from '../workspace/SubjectLegend.tsx';
import { hasLive, type Subject, type SubjectRun, subjectsOfReplicates, subjectsOfRuns } from '../workspace/subjects.ts';
import { useGroupSubjects } from '../workspace/useGroupSubjects.ts';
import { FigureFrame } from './FigureFrame.tsx';
import { keepPicture } from './figurePictures.ts';
import '../workspace/workspace.css';

interface PanelFigureProps {
  block: PanelBlock;
  project: string;
}

/** A longer legend is folded. */
const CURVES_NAMED = 12;
const WORKSPACE = workspaceSchema.parse({});
const NO_RUNS: readonly SubjectRun[] = [];

/** A figure of the table of runs, in a text. */
export function PanelFigure(props: PanelFigureProps) {
  const { groupBy } = props.block;
  return groupBy.length === 0 || (groupBy.length === 1 && groupBy[0] === 'configuration') ? (
    <RunsFigure {...props} />
  ) : (
    <GroupsFigure {...props} />
  );
}

function RunsFigure({ block, project }: PanelFigureProps) {
  const grouped = block.groupBy.length > 0;
  const selection = selectionOf(block.shown, project);
  const { data, error } = useReportRuns({
    ...{ ...selection, orderBy: panelOrderOf(block) },
    ...{ first: grouped ? 200 : block.first, metrics: [] },
  });
  // by what curves need of runs, so that a changed progress draws nothing anew
  const key = JSON.stringify(data?.runs.map(({ id, name, state }) => [id, name, state]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the runs
  const runs: readonly SubjectRun[] = useMemo(() => data?.runs ?? NO_RUNS, [key]);
  const subjects = useMemo(
    () => (grouped ? subjectsOfReplicates(runs).slice(0, block.first) : subjectsOfRuns(runs)),
    [grouped, runs, block.first],
  );
  const total = data === undefined || grouped ? null : (block.shown.matched ?? data.totalCount);
  return <DrawnFigure {...{ block, subjects, runs, error, total }} pending={data === undefined} />;
}

function GroupsFigure({ block, project }: PanelFigureProps) {
  const { project: within, filter } = selectionOf(block.shown, project);
  const [metric = ''] = block.panel.metrics;
  const metrics = panelGroupMetrics(block);
  const { data, error } = useReportGroups({
    ...{ project: within, filter, groupBy: block.groupBy, baseline: null, first: block.first },
    orderBy: groupOrderOf({ order: block.order, metrics }),
    metrics: metrics.map((name) => ({ name, at: 'LAST' as const, bestOf: null })),
  });
  const groups = useMemo(() => data?.edges.map(({ node }) => node) ?? [], [data]);
  const labels = useMemo(() => shownGroups(groups, data?.fields ?? [], [metric]).labels, [groups, data, metric]);
  const ids = groups.map(({ id }) => id).join('\n');
  const asked = useMemo(
    () => (ids === '' ? [] : ids.split('\n').map((group) => ({ project: within, filter, inTrash: false, group }))),
    [ids, within, filter],
  );
  const { subjects, runs, pending } = useGroupSubjects(asked, labels);
  return (
    <DrawnFigure
      {...{ block, subjects, runs, error }}
      pending={data === undefined || pending}
      total={data?.totalCount ?? null}
    />
  );
}

interface DrawnFigureProps {
  block: PanelBlock;
  subjects: readonly Subject[];
  runs: readonly SubjectRun[];
  error: unknown;
  pending: boolean;
  /** Runs or groups that there are; null: not told. */
  total: number | null;
}

/** Fields of runs that colors can go by, beside those of their configurations. */
const FIELDS_OF_RUN = ['kind', 'seed', 'state', 'user'];

function DrawnFigure({ block, subjects: plain, runs, error, pending, total }: DrawnFigureProps) {
  const { title, colorBy } = block;
  const { subjects, keys } = useMemo(
    () =>
      coloredSubjects(plain, {
        colorBy: colorBy === null ? null : columnOfField(colorBy, FIELDS_OF_RUN),
        colors: {},
      }),
    [plain, colorBy],
  );
  const isColored = keys.some(({ style }) => style.colorVariable !== WITHOUT);
  // what readers change, such as the step of media, is theirs alone
  const [workspace, onWorkspace] = useState(WORKSPACE);
  const panel = workspace.panels.find(({ id }) => id === block.panel.id) ?? block.panel;
  const navigate = useNavigate();
  const [lit] = useState(() => createStore<string | null>(null));
  const [cursor] = useState(() => createStore<SharedCursor | null>(null));
  const picture = useRef<PanelPicture | null>(null);
  const followed = useMemo(
    () => subjects.flatMap((subject) => subject.runs.map(({ id }) => ({ id, isLive: hasLive(subject) }))),
    [subjects],
  );
  const store = useCurveStore(followed);
  const plot = useCallback((element: HTMLDivElement | null) => {
    if (element !== null) keepPicture(element, picture);
  }, []);
  const shared = useMemo(
    () =>
      store === null
        ? null
        : {
            ...{ workspace, onWorkspace, store, subjects, runs, inTrash: false, lit, cursor, metrics: [], fields: [] },
            allSubjects: subjects,
            onRemove: () => {},
            blockOf: () => null,
            onFilter: () => {},
            onOpen: (id: string) => {
              const subject = subjects.find((one) => one.id === id);
              const [first] = subject?.runs ?? [];
              if (subject?.total === 1 && first !== undefined) {
                void navigate({ to: '/runs/$runId', params: { runId: first.id } });
              }
            },
          },
    [workspace, store, subjects, runs, lit, cursor, navigate],
  );
  const name = panelTitle(panel);
  const formula = panel.formula === undefined ? null : readFormula(panel.formula, panel.metrics);
  const problem = typeof formula === 'string' ? new Error(`formula: ${formula}`) : error;
  const withLegend = panel.kind === 'line' && subjects.length > 0;
  return (
    <FigureFrame title={title ?? name} name={name} pending={pending || shared === null} error={problem}>
      <div className="report-plot" ref={plot} data-height={panel.height}>
        {!pending && subjects.length === 0 && <p className="muted">No run matches.</p>}
        {shared !== null && subjects.length > 0 && (
          <PanelContext.Provider value={shared}>
            <PanelBody panel={panel} inSight picture={picture} />
          </PanelContext.Provider>
        )}
      </div>
      {isColored && <ColorKeys keys={keys} />}
      {keys.length > 0 && !isColored && (
        <p className="muted report-note">Colors by “{colorBy}”: none of these has one value of it.</p>
      )}
      {withLegend && <SubjectLegend subjects={subjects} lit={lit} most={CURVES_NAMED} />}
      {total !== null && total > block.first && (
        <p className="muted report-note">
          The first {block.first} of {total}.
        </p>
      )}
    </FigureFrame>
  );
}
