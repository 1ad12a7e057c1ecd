/** One axis of a figure. */
export interface FigureAxis {
  title: string;
  /** `log` has base 10 and takes values above 0; `category` takes the places of its `categories`. `linear` unless given. */
  scale?: 'linear' | 'log' | 'category';
  categories?: readonly string[];
  minimum?: number;
  maximum?: number;
}

/** Points (x, y), drawn as a line or as dots. Values that are not finite leave a gap. */
export interface FigureCurve {
  form: 'line' | 'points';
  name: string;
  x: readonly number[];
  y: readonly number[];
  /** Drawn as a shade around the line, such as mean ± standard deviation. */
  band?: { low: readonly number[]; high: readonly number[] };
  isDashed?: boolean;
}

/** One bar for each category of the x axis. */
export interface FigureBars {
  form: 'bars';
  name: string;
  values: readonly number[];
}

export interface CurveFigure {
  form: 'curves';
  title: string;
  x: FigureAxis;
  y: FigureAxis;
  series: readonly (FigureCurve | FigureBars)[];
}

/** Cells coloured by value; row r, column c is `values[r][c]`, at the categories of the axes. */
export interface HeatMapFigure {
  form: 'heat-map';
  title: string;
  x: FigureAxis;
  y: FigureAxis;
  valueTitle: string;
  values: readonly (readonly number[])[];
}

/** A figure as data: what is drawn and what is kept beside the picture. */
export type Figure = CurveFigure | HeatMapFigure;
