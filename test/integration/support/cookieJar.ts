/** A browser that keeps the cookies of one server. */
export class CookieJar {
  readonly cookies = new Map<string, string>();

  constructor(private readonly origin: string) {}

  async get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.keep(await fetch(address, { redirect: 'manual', headers: { ...headers, cookie: this.header() } }));
  }

  async post(path: string, headers: Record<string, string>, body?: string): Promise<Response> {
    const init = {
      method: 'POST',
      headers: { ...headers, cookie: this.header() },
      ...(body === undefined ? {} : { body }),
    };
    return this.keep(await fetch(`${this.origin}${path}`, init));
  }

  header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
