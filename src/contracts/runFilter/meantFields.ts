import { nearNames } from '#src/lib/nearNames.ts';

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
  const parameters = configuration.map((path) => path.replace(/^parameters\./, ''));
  const named = [
    ...parameters.map((name) => ({ name, field: `config.${quotedPath(name)}` })),
    ...metrics.map((name) => ({ name, field: `metric.${quotedName(name)}` })),
    ...texts.map((name) => ({ name, field: `text.${quotedName(name)}` })),
  ];
  const wanted = word.toLowerCase();
  const isEnd = (name: string) => name === wanted || name.endsWith(`.${wanted}`) || name.endsWith(`/${wanted}`);
  const ending = named.filter(({ name }) => isEnd(name.toLowerCase()));
  const names = named.map(({ name }) => name);
  const near = nearNames(word, names, most).flatMap((name) => named.filter((one) => one.name === name));
  return [...new Set([...ending, ...near].map(({ field }) => field))].slice(0, most);
}

const isPlain = (name: string) => /^[\w./@-]+$/.test(name);
const quotedName = (name: string) => (isPlain(name) ? name : JSON.stringify(name));
const quotedPath = (path: string) =>
  path
    .split('.')
    .map((part) => (/^[\w@/-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
