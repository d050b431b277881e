export interface Client {
  /** Sends the token of the last login, if there was one. */
  call(method: string, path: string, json?: unknown): Promise<Answer>;
  /** Answers the token endpoint's body. */
  login(username: string, password: string): Promise<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Speaks JSON to a server. */
export function clientOf(url: string): Client {
  let token: unknown;
  const call = async (method: string, path: string, json?: unknown): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${String(token)}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return { status: response.status, body: { ...Object(text === '' ? {} : JSON.parse(text)) } };
  };
  return {
    call,
    async login(username, password) {
      const { body } = await call('POST', '/auth/token', { username, password });
      token = body['access_token'];
      return body;
    },
  };
}
