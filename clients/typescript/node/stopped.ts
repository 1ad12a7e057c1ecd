/** The server has ended the run: it was cancelled, or its sweep stopped it early. */
export class Stopped extends Error {}
