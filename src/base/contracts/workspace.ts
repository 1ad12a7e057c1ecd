import * as z from 'zod/mini';

const metricName = z.string().check(z.minLength(1), z.maxLength(600));
const panelId = z.string().check(z.minLength(1), z.maxLength(700));

/** What lies along the horizontal axis: `metric:` stands before a metric's name. */
const axisSchema = z.string().check(z.regex(/^(step|epoch|time|relative|metric:.{1,600})$/));

export const SMOOTHING_KINDS = ['none', 'exponential', 'timeWeighted', 'gaussian', 'running'] as const;
export type SmoothingKind = (typeof SMOOTHING_KINDS)[number];

export const BAND_KINDS = ['none', 'deviation', 'error', 'interval', 'extremes'] as const;
export type BandKind = (typeof BAND_KINDS)[number];

/** How curves are drawn; what is left out is as in the workspace, or as usual. */
const curveSettingsSchema = z.object({
  x: z.optional(axisSchema),
  logX: z.optional(z.boolean()),
  logY: z.optional(z.boolean()),
  xMin: z.optional(z.number()),
  xMax: z.optional(z.number()),
  yMin: z.optional(z.number()),
  yMax: z.optional(z.number()),
  /** The vertical axis leaves out what lies beyond the 1st and 99th percentile; left out: what would flatten the other curves. */
  ignoreOutliers: z.optional(z.boolean()),
  smoothing: z.optional(z.enum(SMOOTHING_KINDS)),
  /** Weight of the moving averages, 0 to 0.999; half width in points of the others, 1 to 500. */
  smoothness: z.optional(z.number().check(z.gte(0), z.lte(500))),
  band: z.optional(z.enum(BAND_KINDS)),
});
export type CurveSettings = z.infer<typeof curveSettingsSchema>;

export const PANEL_KINDS = ['line', 'scatter', 'bar', 'box', 'parallel', 'importance', 'heat', 'media'] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];

export const MEDIA_SIZES = ['small', 'medium', 'large'] as const;
export type MediaSize = (typeof MEDIA_SIZES)[number];

/** How a panel of media shows them; what is left out is as usual. */
const mediaSettingsSchema = z.object({
  /** Runs show what they had at this step, or last before it; left out: the newest. */
  step: z.optional(z.int().check(z.gte(0))),
  size: z.optional(z.enum(MEDIA_SIZES)),
  /** Entries of a run at a step, at most. */
  first: z.optional(z.int().check(z.gte(1), z.lte(20))),
});
export type MediaSettings = z.infer<typeof mediaSettingsSchema>;

export const panelSchema = z.object({
  id: panelId,
  kind: z.enum(PANEL_KINDS),
  /** Metrics whose curves are drawn; else the one that is drawn, first. Of media their name. */
  metrics: z.array(metricName).check(z.minLength(1), z.maxLength(20)),
  /** Fields of the configuration, or metrics, along the axes: `config.parameters.dimension`, `metric."test/ndcg@10"`. Of media what they are grouped by. */
  fields: z._default(z.array(z.string().check(z.minLength(1), z.maxLength(700))).check(z.maxLength(20)), []),
  /** Computed from the metrics, and drawn instead of them: `"train/loss" / "valid/loss"`. Of curves alone. */
  formula: z.optional(z.string().check(z.minLength(1), z.maxLength(500))),
  /** Names with `*` for anything, with commas between them: the metrics are those that runs have of these. Of curves alone. */
  pattern: z.optional(z.string().check(z.minLength(1), z.maxLength(2_000))),
  /** In columns of the page, and in rows. */
  width: z._default(z.int().check(z.gte(1), z.lte(3)), 1),
  height: z._default(z.int().check(z.gte(1), z.lte(3)), 1),
  settings: z._default(curveSettingsSchema, {}),
  /** Of media alone. */
  media: z.optional(mediaSettingsSchema),
});
export type Panel = z.infer<typeof panelSchema>;

/** How many curves a panel draws at most, by choice. */
export const CURVE_COUNTS = [10, 20, 50, 100, 200] as const;

/** The panels beside the table of runs. Every metric has one of its own without a word; this says what is otherwise. */
export const workspaceSchema = z.object({
  /** Runs or groups of the table, from the first, that have curves. */
  curves: z._default(z.int().check(z.gte(1), z.lte(200)), 20),
  /** Replicates are one curve with a band. */
  replicates: z._default(z.boolean(), false),
  /** The field, named as a column, whose equal values share a color; null: each curve has a color of its own. */
  colorBy: z._default(z.nullable(z.string().check(z.minLength(1), z.maxLength(700))), null),
  /** Colors of the palette, from 1, that were chosen for runs, configurations or groups, by the ids that they have in the table. */
  colors: z._default(
    z
      .record(z.string().check(z.minLength(1), z.maxLength(700)), z.int().check(z.gte(1), z.lte(7)))
      .check(z.refine((colors) => Object.keys(colors).length <= 500)),
    {},
  ),
  settings: z._default(curveSettingsSchema, {}),
  /** Panels that were added, and those of metrics that were changed. */
  panels: z._default(z.array(panelSchema).check(z.maxLength(200)), []),
  /** Metrics whose panels were taken away. */
  removed: z._default(z.array(panelId).check(z.maxLength(2_000)), []),
  /** Panels that stand before the others of their section, in this order. */
  order: z._default(z.array(panelId).check(z.maxLength(2_000)), []),
  /** Runs, configurations or groups whose curves are hidden, by the ids that they have in the table. */
  hidden: z._default(z.array(z.string().check(z.minLength(1), z.maxLength(700))).check(z.maxLength(500)), []),
  /** Names of the sections that are folded, or opened where they are folded without a word. */
  folded: z._default(z.array(z.string().check(z.maxLength(600))).check(z.maxLength(500)), []),
});
export type Workspace = z.infer<typeof workspaceSchema>;
