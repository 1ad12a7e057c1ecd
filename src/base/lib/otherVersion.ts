/** What GraphQL servers say to a query that their schema has not; of clients whose queries are fixed, such a server is of another version. */
const SAID = /^(Cannot query field|Unknown argument|Unknown type) "|is not defined by type "/;

/**
 * The words for a server's message where it shows that server and client are of different versions; null for any other message.
 * @param client What asked: `command`, `client`.
 */
export function otherVersion(message: string, client: string): string | null {
  if (!SAID.test(message)) return null;
  return `the server is of another version than this ${client}: ${message}; update the older of the two`;
}
