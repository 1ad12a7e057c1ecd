/** What the thread that sends is told. */
export interface SendingOrder {
  /** Its path. */
  journal: string;
  runId: string;
  server: string;
  token: string | null;
  /** Whether it was told that the server does not answer. */
  isAway: boolean;
  /** Whether a run that the server ends interrupts the program, as Ctrl-C does. */
  interrupts: boolean;
  /** Shared with the program; its places are below. */
  state: Int32Array<SharedArrayBuffer>;
}

/** Whether the program ends the run: 1 then. */
export const FINISHING = 0;
/** Seconds for a server that is away. */
export const PATIENCE = 1;
/** Set by the thread when it has ended: 1 all is sent, 2 given up, `ENDED` told already why not. */
export const SENT = 2;
/** Set by the thread when the server has ended the run: 1 cancelled, 2 stopped early. */
export const STOPPED = 3;
export const STATE_PLACES = 4;
export const ENDED = 3;
