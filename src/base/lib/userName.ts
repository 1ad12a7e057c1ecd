import { userInfo } from 'node:os';

/** The user name that runs made here are to bear: `WARREN_USER`, else the name of the user of this machine; null without one. */
export function userName(variables: NodeJS.ProcessEnv = process.env): string | null {
  return variables.WARREN_USER?.trim() || systemUser();
}

/** Null for a user id without an entry in the list of users, as containers have. */
export function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
