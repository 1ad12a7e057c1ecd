const MARGIN = 2;

/**
 * The path of a curve that fills a box, a point a value: the greatest on top, gaps where values are not finite, a level one
 * in the middle, a single one as a dot.
 */
export function sparklinePath(values: readonly number[], width: number, height: number): string {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return '';
  let [low, high] = [finite[0]!, finite[0]!];
  for (const value of finite) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const step = values.length > 1 ? (width - 2 * MARGIN) / (values.length - 1) : 0;
  const y = (value: number) =>
    high === low ? height / 2 : height - MARGIN - ((value - low) / (high - low)) * (height - 2 * MARGIN);
  let path = '';
  let isOpen = false;
  values.forEach((value, index) => {
    if (!Number.isFinite(value)) {
      isOpen = false;
      return;
    }
    const isAlone = !isOpen && !Number.isFinite(values[index + 1]);
    path += `${isOpen ? 'L' : 'M'}${round(MARGIN + index * step)} ${round(y(value))}${isAlone ? 'h1' : ''}`;
    isOpen = true;
  });
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
