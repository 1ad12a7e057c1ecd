import { nearNames } from './nearNames.ts';

/** The last name of a path, without what people write in different ways: `learningrate` of `optimizer.learning_rate`. */
function plainEnd(path: string): string {
  return lastOf(path).replace(/[_-]/g, '').toLowerCase();
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** `lr` of `optimizer.learningRate`. */
function initials(path: string): string {
  const last = lastOf(path);
  return (last.charAt(0) + (last.match(/[A-Z]|(?<=[_-])[a-z]/g)?.join('') ?? '')).toLowerCase();
}

function depth(path: string): number {
  return path.split('.').length;
}

/**
 * The paths that a person may have meant by `wanted`, which may be a path or the end of one, or its initials: first those whose last name
 * is the same, then those whose initials are (`lr` for `optimizer.learningRate`), then those that are near;
 * those that lie less deep first.
 */
export function nearPaths(wanted: string, paths: readonly string[], limit = 3): string[] {
  const end = plainEnd(wanted);
  const near = new Set(nearNames(lastOf(wanted), paths.map(lastOf), limit));
  const whole = new Set(nearNames(wanted, paths, limit));
  const rank = (path: string) => {
    if (plainEnd(path) === end) return 0;
    if (end.length > 1 && initials(path) === end) return 1;
    if (whole.has(path)) return 2;
    return near.has(lastOf(path)) ? 3 : null;
  };
  const ranked = [...new Set(paths)]
    .flatMap((path) => {
      const place = rank(path);
      return place === null ? [] : [{ path, place }];
    })
    .sort((a, b) => a.place - b.place || depth(a.path) - depth(b.path) || a.path.length - b.path.length)
    .slice(0, limit);
  // written otherwise, but where it belongs: nothing else was meant
  const written = ranked.find(({ path, place }) => place === 0 && depth(path) === depth(wanted));
  return written === undefined ? ranked.map(({ path }) => path) : [written.path];
}
