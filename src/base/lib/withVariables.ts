/** W&B's word for a variable of the machine on which a program of a sweep starts. */
const VARIABLE = /\$\{envvar:([A-Z0-9_]*)\}/g;

/** Program and arguments with the values of variables; as at W&B, one that is not set leaves its name. */
export function withVariables(
  line: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): string[] {
  return line.map((argument) => argument.replace(VARIABLE, (_, name: string) => variables[name] ?? name));
}
