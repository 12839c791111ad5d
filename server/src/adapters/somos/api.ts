import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import type { SomosSettings } from './settings.ts';

export interface SomosApi {
  request(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
  ): Promise<{ status: number; said: Record<string, unknown> }>;
}

/**
 * Sends requests in a session, which is opened when needed and again after the registry has ended
 * it.
 */
export function openSomosApi(settings: SomosSettings): SomosApi {
  const client = createHttpClient({ target: 'somos', totalMs: 20_000, headersMs: 20_000 });
  let session: { token: string; until: number } | null = null;
  const send = async (
    method: string,
    path: string,
    body: object | undefined,
    token: string | null,
  ) => {
    const answer = await client.request(settings.url + path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}`, ROID: settings.respOrg } : {}),
      },
    });
    return {
      status: answer.status,
      said: (parseJson(answer.body) ?? {}) as Record<string, unknown>,
    };
  };
  const open = async (): Promise<string> => {
    if (session && session.until > Date.now()) return session.token;
    const { status, said } = await send(
      'POST',
      '/v3/ip/sec/session/open',
      { usrName: settings.username, password: settings.password },
      null,
    );
    if (status >= 400 || typeof said['oauthToken'] !== 'string')
      throw new Error(`Somos opened no session (${status}).`);
    // A minute early, so that a session does not end during a request.
    session = {
      token: said['oauthToken'],
      until: Date.now() + (Number(said['expiresIn']) || 1800) * 1000 - 60_000,
    };
    return session.token;
  };
  return {
    async request(method, path, body) {
      let answer = await send(method, path, body, await open());
      if (answer.status === 401) {
        session = null;
        answer = await send(method, path, body, await open());
      }
      if (answer.status >= 500 || answer.status === 429 || answer.status === 401)
        throw new Error(`Somos answered ${answer.status}.`);
      return answer;
    },
  };
}
