/** Colours that a chart takes from the page's theme. */
export interface ChartColors {
  text: string;
  muted: string;
  line: string;
  surface: string;
  danger: string;
  /** A curve's colour by its CSS variable. */
  of(variable: string): string;
}

const known = new Map<string, ChartColors>();

/** The colours of `theme`, which the page must have: they are read from it once. */
export function readChartColors(theme: string): ChartColors {
  const colors = known.get(theme) ?? colorsOfPage();
  known.set(theme, colors);
  return colors;
}

function colorsOfPage(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const of = (variable: string) => style.getPropertyValue(variable).trim() || '#808080';
  return {
    text: of('--text'),
    muted: of('--text-muted'),
    line: of('--line'),
    surface: of('--surface'),
    danger: of('--danger'),
    of,
  };
}
