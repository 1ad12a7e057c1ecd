import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';

/** A cookie of this server alone, which no script reads. */
export interface Cookie {
  /** The secret that a request brings; null without. Of two with one name neither counts. */
  read(request: IncomingMessage): string | null;
  /** @param seconds How long the browser keeps it. */
  write(response: Response, value: string, seconds: number): void;
  clear(response: Response): void;
}

/**
 * A cookie with `HttpOnly` and `SameSite=Lax`. Where the server is reached by https it is `Secure` and has the prefix `__Host-`,
 * by which browsers make sure that no other host has set it.
 */
export function serverCookie(name: string, publicOrigin: string): Cookie {
  const isSecure = publicOrigin.startsWith('https:');
  const fullName = isSecure ? `__Host-${name}` : name;
  const write = (response: Response, value: string, seconds: number) => {
    const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])];
    response.append('Set-Cookie', [`${fullName}=${value}`, ...attributes].join('; '));
    response.set('Cache-Control', 'no-store');
  };
  return {
    read(request) {
      const found = (request.headers.cookie ?? '').split(';').flatMap((pair) => {
        const [key = '', ...value] = pair.trim().split('=');
        return key === fullName ? [value.join('=')] : [];
      });
      return found.length === 1 ? (found[0] ?? null) : null;
    },
    write,
    clear: (response) => write(response, '', 0),
  };
}
