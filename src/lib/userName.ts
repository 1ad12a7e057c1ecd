import { userInfo } from 'node:os';

/** The user name that runs made here are to bear: `WARREN_USER`, else the name of the user of this machine. */
export function userName(): string {
  return process.env.WARREN_USER?.trim() || systemUser();
}

/** A user id without an entry in the list of users, as containers have, has no name. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
