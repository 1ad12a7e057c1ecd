/** What starts an agent of a sweep: its program from the shell, where the sweep names one, else a function in Python. */
export function agentStart(sweep: number, line: readonly string[] | null | undefined): string {
  return line == null ? `warren.agent("${sweep}", function)` : `python -m warren agent ${sweep}`;
}

/** As `agentStart`, for programs of Node. */
export function agentStartInNode(sweep: number, line: readonly string[] | null | undefined): string {
  return line == null ? `await warren.agent(${sweep}, train)` : `node warren.mjs agent ${sweep}`;
}
