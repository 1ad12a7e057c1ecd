const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** A metric's value in five significant digits, or in so many: `0.03127`, `1.5e-7`, `12,480`, `NaN`, `−∞`. */
export function formatNumber(value: number, digits = 5): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (Number.isInteger(value) && Math.abs(value) < 1e15 && !isRoundAndLong(value))
    return grouped.format(value).replace('-', '−');
  const size = Math.abs(value);
  const text = size < 1e-4 || size >= 1e9 ? value.toExponential(Math.min(3, digits - 1)) : value.toPrecision(digits);
  return trimZeros(text).replace(/^-/, '−');
}

/** A value beside others of its kind, in four significant digits, zeros at the end as well: `0.2140`, `12.00`, `3`. */
export function formatDigits(value: number): string {
  const size = Math.abs(value);
  const isPlain = Number.isFinite(value) && !Number.isInteger(value) && size >= 1e-4 && size < 1e3;
  return isPlain ? value.toPrecision(4).replace(/^-/, '−') : formatNumber(value, 4);
}

/** Of ten digits and more, mostly zeros: `1.2e12` says it better, and nothing is lost. */
function isRoundAndLong(value: number): boolean {
  return Math.abs(value) >= 1e10 && Number(value.toPrecision(3)) === value;
}

/** A whole number with separators: `1,048,576`. */
export function formatCount(value: number): string {
  return grouped.format(value);
}

function trimZeros(text: string): string {
  const [mantissa = text, exponent] = text.split('e');
  const trimmed = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponent === undefined ? trimmed : `${trimmed}e${exponent.replace('+', '')}`;
}

/** A p-value: `0.0312`, `4.1e-5`, `< 1e-300`. */
export function formatProbability(p: number): string {
  if (p === 0) return '< 1e-300';
  return p < 0.001 ? p.toExponential(1) : p.toFixed(4);
}
