/** A file that people name in a command to have it executed. */
const SCRIPT = /^[^-{}$][^{}$]*\.(?:py|sh|bash|js|mjs|cjs|ts|r|jl|pl|rb|lua)$/i;
const ENV = '/usr/bin/env';

/** What a command executes, as people call it: its script or module, else its program. */
export function programName(line: readonly string[]): string {
  const script = line.find((word) => SCRIPT.test(word));
  const module = line.includes('-m') ? line[line.indexOf('-m') + 1] : undefined;
  const program = script ?? module ?? line.find((word) => word !== ENV) ?? ENV;
  return program.slice(program.lastIndexOf('/') + 1) || program;
}
