export interface ToldToClients {
  /** Bytes of a log that are kept, so that a program that prints without end sends no more; none without a limit. */
  logBytes: number | undefined;
  /** New with every restore of the database: clients send again what may be gone. */
  epoch: string;
}

/** What every answer to a program says of this server. */
export function clientHeaders({ logBytes, epoch }: ToldToClients): Record<string, string> {
  return { 'Warren-Epoch': epoch, ...(logBytes === undefined ? {} : { 'Warren-Log-Bytes': String(logBytes) }) };
}
