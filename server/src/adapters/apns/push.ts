/** Apple's push service over HTTP/2 with a token key (ES256). Calls go to the app's VoIP topic. Verified against Apple's reference and a local server only. */
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { PushNotification, PushResult, PushTarget } from '../../gateways/push.ts';

export interface ApnsKey {
  key: string;
  keyId: string;
  teamId: string;
}
const hosts = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
};
/** Apple refuses tokens older than an hour and makers of new ones every few minutes. */
const tokenMs = 50 * 60_000;
const requestTimeoutMs = 10_000;
const expiredTokenReasons = new Set([
  'BadDeviceToken',
  'Unregistered',
  'DeviceTokenNotForTopic',
  'ExpiredToken',
]);

export function apnsPush(
  settings: ApnsKey,
  more: { hosts?: typeof hosts; now?: () => number; ca?: string } = {},
) {
  const pem = settings.key.includes('BEGIN')
    ? settings.key.replace(/\\n/g, '\n')
    : Buffer.from(settings.key, 'base64').toString('utf8');
  const privateKey = createPrivateKey(pem);
  const now = more.now ?? Date.now;
  const sessions = new Map<string, ClientHttp2Session>();
  let token: { text: string; at: number } | null = null;

  const bearer = (): string => {
    if (token && now() - token.at < tokenMs) return token.text;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const said = `${part({ alg: 'ES256', kid: settings.keyId })}.${part({ iss: settings.teamId, iat: Math.floor(now() / 1000) })}`;
    token = {
      text: `${said}.${sign('sha256', Buffer.from(said), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
      at: now(),
    };
    return token.text;
  };
  const sessionTo = (host: string): ClientHttp2Session => {
    const open = sessions.get(host);
    if (open && !open.closed && !open.destroyed) return open;
    const session = connect(host, more.ca ? { ca: more.ca } : {});
    sessions.set(host, session);
    const forget = () => {
      if (sessions.get(host) === session) sessions.delete(host);
    };
    session.on('error', forget).on('close', forget).on('goaway', forget);
    session.unref();
    return session;
  };

  const send = (target: PushTarget, note: PushNotification): Promise<PushResult> => {
    const expires = Math.floor(now() / 1000) + note.ttlSeconds;
    const session = sessionTo((more.hosts ?? hosts)[target.environment ?? 'production']);
    return new Promise((resolve) => {
      const away = (reason: string) => resolve({ state: 'away', reason });
      // The session is unreferenced between pushes; one that waits for its answer keeps the process.
      const timer = setTimeout(() => {
        request.close(constants.NGHTTP2_CANCEL);
        away('no answer');
      }, requestTimeoutMs);
      const request = session.request({
        ':method': 'POST',
        ':path': `/3/device/${target.token}`,
        authorization: `bearer ${bearer()}`,
        'apns-id': randomUUID(),
        'apns-topic': `${target.bundleId ?? ''}.voip`,
        'apns-push-type': 'voip',
        'apns-priority': '10',
        'apns-expiration': String(expires),
        'content-type': 'application/json',
      });
      let status = 0;
      let body = '';
      request.setEncoding('utf8');
      request.on('response', (headers) => {
        status = Number(headers[':status']);
      });
      request.on('data', (chunk: string) => {
        body += chunk;
      });
      request.on('error', (error) => {
        clearTimeout(timer);
        away(error.message);
      });
      request.on('end', () => {
        clearTimeout(timer);
        let reason = '';
        try {
          reason = (JSON.parse(body || '{}') as { reason?: string }).reason ?? '';
        } catch {
          reason = body.slice(0, 100);
        }
        if (status === 200) return resolve({ state: 'sent' });
        if (status === 410 || expiredTokenReasons.has(reason)) return resolve({ state: 'gone' });
        if (reason === 'ExpiredProviderToken') token = null; // the next try brings a fresh one
        if (status === 0 || status === 429 || status >= 500 || reason === 'ExpiredProviderToken')
          return away(reason || String(status));
        return resolve({ state: 'refused', reason: reason || String(status) });
      });
      request.end(
        JSON.stringify({
          aps: { alert: { title: note.title, body: note.body } },
          ...note.data,
          url: note.url,
        }),
      );
    });
  };
  return {
    send,
    close: () => {
      for (const session of sessions.values()) session.close();
    },
  };
}
