import { nearNames } from '#src/base/lib/nearNames.ts';

/** Names that runs have, as far as a filter names them by a field. */
export interface FieldNames {
  metrics: readonly string[];
  /** Paths such as `parameters.optimizer.lr`. */
  configuration: readonly string[];
  /** Of logged texts. */
  texts: readonly string[];
}

/**
 * What somebody meant who wrote a word that filters do not know as a field, as it is written in a filter: `config.optimizer.lr` for
 * `lr`. First what ends with the word, then what is spelled alike.
 * @param most So many at most.
 */
export function meantFields(word: string, { metrics, configuration, texts }: FieldNames, most = 3): string[] {
  const named = namedFields({ metrics, configuration, texts });
  const wanted = word.toLowerCase();
  const ending = named.filter(({ name }) => isEnd(name.toLowerCase(), wanted));
  const names = named.map(({ name }) => name);
  const near = nearNames(word, names, most).flatMap((name) => named.filter((one) => one.name === name));
  return [...new Set([...ending, ...near].map(({ field }) => field))].slice(0, most);
}

/** The fields of a name: those that are called so, or else those whose last part is. */
export function fieldsNamed(names: FieldNames): (name: string) => string[] {
  const named = namedFields(names);
  return (wanted) => {
    const exact = named.filter(({ name }) => name === wanted);
    const found = exact.length > 0 ? exact : named.filter(({ name }) => isEnd(name, wanted));
    return [...new Set(found.map(({ field }) => field))];
  };
}

function namedFields({ metrics, configuration, texts }: FieldNames): { name: string; field: string }[] {
  const parameters = configuration.map((path) => path.replace(/^parameters\./, ''));
  return [
    ...parameters.map((name) => ({ name, field: `config.${quotedPath(name)}` })),
    ...metrics.map((name) => ({ name, field: `metric.${quotedName(name)}` })),
    ...texts.map((name) => ({ name, field: `text.${quotedName(name)}` })),
  ];
}

function isEnd(name: string, wanted: string): boolean {
  return name === wanted || name.endsWith(`.${wanted}`) || name.endsWith(`/${wanted}`);
}

const isPlain = (name: string) => /^[\w./@-]+$/.test(name);
const quotedName = (name: string) => (isPlain(name) ? name : JSON.stringify(name));
const quotedPath = (path: string) =>
  path
    .split('.')
    .map((part) => (/^[\w@/-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
