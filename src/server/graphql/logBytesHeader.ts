/** Says in an answer how many bytes of a log are kept, so that a program that prints without end sends no more; none without a limit. */
export function logBytesHeader(bytes: number | undefined): Record<string, string> {
  return bytes === undefined ? {} : { 'Warren-Log-Bytes': String(bytes) };
}
