import { armByName, armConfiguration } from '#src/catalog/studies/armConfiguration.ts';
import { STUDY_BUDGETS, type CurveSeries, type Study, type StudyComparison } from '#src/catalog/studies/study.ts';
import { PER_USER_FILES } from '#src/base/contracts/perUserArtifact.ts';
import { parseUserMetricName } from '#src/statistics/userMetricName.ts';
import { pairsOf } from './testComparison.ts';

/** Something that the runs of a configuration leave. */
export interface NeededPart {
  configurationHash: string;
  /** Of the metric or the artifact. */
  name: string;
}

/** What studies read of their runs beside last and best values. */
export interface StudyNeeds {
  /** Metrics whose points are drawn as a curve. */
  curves: NeededPart[];
  /** Pictures of figures, and what tests over users read. */
  artifacts: NeededPart[];
}

const USER_FILES: readonly string[] = Object.values(PER_USER_FILES).flatMap((files) => Object.values(files));

/** What the figures, cells and claims of these studies need of runs under any budget; each part once. */
export function studyNeeds(studies: readonly Study[]): StudyNeeds {
  const curves = studies.flatMap((study) =>
    curvesOf(study).flatMap(({ curve }) => partsOf(study, curve.arm, [curve.metric])),
  );
  const pictures = studies.flatMap((study) =>
    panelsOf(study).flatMap((panel) => ('artifact' in panel ? partsOf(study, panel.arm, [panel.artifact]) : [])),
  );
  const tested = studies.flatMap((study) =>
    comparisonsOf(study).flatMap((comparison) => {
      const [names = [], ...others] = pairsOf(comparison);
      // several pairs are tested over the pairs
      const hasUsers = others.length === 0 && parseUserMetricName(comparison.metric) !== null;
      return hasUsers ? names.flatMap((arm) => partsOf(study, arm, USER_FILES)) : [];
    }),
  );
  return { curves: distinct(curves), artifacts: distinct([...pictures, ...tested]) };
}

/** Every comparison that a study states or shows. */
export function comparisonsOf(study: Study): StudyComparison[] {
  const { claims, table } = study;
  const values = [
    ...(table?.cells.flatMap(({ value }) => value ?? []) ?? []),
    ...claims.flatMap(({ statements }) => statements.flatMap((one) => ('above' in one ? [] : [one.value]))),
    ...panelsOf(study).flatMap((panel) =>
      'artifact' in panel
        ? []
        : panel.series.flatMap((series) => ('points' in series ? series.points.map(({ value }) => value) : [])),
    ),
  ];
  const stated = claims.flatMap(({ statements }) => statements.flatMap((one) => ('above' in one ? [one] : [])));
  return [...stated, ...values.flatMap((value) => ('comparison' in value ? [value.comparison] : []))];
}

/** The curves that the figures of a study draw. */
export function curvesOf(study: Study): CurveSeries[] {
  return panelsOf(study).flatMap((panel) =>
    'series' in panel ? panel.series.filter((series): series is CurveSeries => 'curve' in series) : [],
  );
}

/** The panels of all figures of a study. */
export function panelsOf({ figures = [] }: Study) {
  return figures.flatMap(({ panels }) => panels);
}

function partsOf(study: Study, arm: string, names: readonly string[]): NeededPart[] {
  const found = armByName(study, arm);
  if (found.notRunnable !== undefined) return [];
  const hashes = STUDY_BUDGETS.map((budget) => armConfiguration(found, budget).hash);
  return hashes.flatMap((configurationHash) => names.map((name) => ({ configurationHash, name })));
}

function distinct(parts: readonly NeededPart[]): NeededPart[] {
  return [...new Map(parts.map((part) => [`${part.configurationHash} ${part.name}`, part])).values()];
}
