import { INPUT_FORMS, type InputSource, parseInputSource } from '#src/base/contracts/inputSource.ts';

/** An input as a run has it. */
export interface RecordedInput {
  name: string;
  sourceRunId: string;
  artifactName: string;
  version: string | null;
}

/** Inputs as forms show them: `model.pt=ranker@production` or `data.csv=12:data.csv`, one a line. */
export function inputLines(inputs: readonly RecordedInput[]): string {
  return inputs
    .map(({ name, sourceRunId, artifactName, version }) => `${name}=${version ?? `${sourceRunId}:${artifactName}`}`)
    .join('\n');
}

/** Reads what `inputLines` writes, as it is typed: names and sources, and what is wrong with the first wrong line. */
export function readInputs(text: string): { inputs: [name: string, source: string][]; problem: string | null } {
  const inputs: [string, string][] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name = '', source = ''] = /^([^=]+)=(.+)$/.exec(line) ?? [];
    if (parseInputSource(source) === null) return { inputs, problem: `${line}: expected name=${INPUT_FORMS}.` };
    inputs.push([name.trim(), source.trim()]);
  }
  return { inputs, problem: null };
}

/** Inputs that were read as the API takes them for runs. */
export function inputReferences(inputs: Readonly<Record<string, string>>): ({ name: string } & InputSource)[] {
  return Object.entries(inputs).flatMap(([name, text]) => {
    const source = parseInputSource(text);
    return source === null ? [] : [{ name, ...source }];
  });
}
