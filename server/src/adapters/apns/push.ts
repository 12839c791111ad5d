/**
 * Apple's push service over HTTP/2 with a token key (ES256). Calls go to the app's VoIP topic. Verified against
 * Apple's reference and a local server only.
 */
import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { ApnsSettings } from './settings.ts';
import type { PushNotification, PushResult, PushTarget } from '../../gateways/push.ts';

const hosts = {
  production: 'https://api.push.apple.com',
  sandbox: 'https://api.sandbox.push.apple.com',
};
/** Apple rejects tokens older than an hour, and providers that create new ones every few minutes. */
const tokenTtlMs = 50 * 60_000;
const requestTimeoutMs = 10_000;
/** The device token is no longer valid. */
const expiredTokenReasons = new Set([
  'BadDeviceToken',
  'Unregistered',
  'DeviceTokenNotForTopic',
  'ExpiredToken',
]);

interface ApnsOptions {
  hosts?: typeof hosts;
  /** Epoch milliseconds. */
  now?: () => number;
  /** PEM of a certificate authority. For tests. */
  ca?: string;
}

/** `close`: ends the connections. Throws when the key is not a private key. */
export function apnsPush(settings: ApnsSettings, options: ApnsOptions = {}) {
  const client = new ApnsClient(settings, options);
  return {
    send: (target: PushTarget, note: PushNotification) => client.send(target, note),
    close: () => client.close(),
  };
}

class ApnsClient {
  readonly #privateKey: KeyObject;
  readonly #now: () => number;
  readonly #sessions = new Map<string, ClientHttp2Session>();
  #token: { text: string; createdMs: number } | null = null;

  constructor(
    private readonly settings: ApnsSettings,
    private readonly options: ApnsOptions,
  ) {
    const pem = settings.key.includes('BEGIN')
      ? settings.key.replace(/\\n/g, '\n')
      : Buffer.from(settings.key, 'base64').toString('utf8');
    this.#privateKey = createPrivateKey(pem);
    this.#now = options.now ?? Date.now;
  }

  send(target: PushTarget, note: PushNotification): Promise<PushResult> {
    const session = this.#sessionTo(
      (this.options.hosts ?? hosts)[target.environment ?? 'production'],
    );
    return new Promise((resolve) => {
      const away = (reason: string) => resolve({ state: 'away', reason });
      // The session is unreferenced; this timer keeps the process alive while a response is awaited.
      const timer = setTimeout(() => {
        request.close(constants.NGHTTP2_CANCEL);
        away('no answer');
      }, requestTimeoutMs);
      const request = session.request(this.#headersFor(target, note));
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
        resolve(this.#resultOf(status, reasonIn(body)));
      });
      request.end(payloadOf(note));
    });
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
  }

  #headersFor(target: PushTarget, note: PushNotification) {
    return {
      ':method': 'POST',
      ':path': `/3/device/${target.token}`,
      authorization: `bearer ${this.#bearer()}`,
      'apns-id': randomUUID(),
      'apns-topic': `${target.bundleId ?? ''}.voip`,
      'apns-push-type': 'voip',
      'apns-priority': '10',
      'apns-expiration': String(Math.floor(this.#now() / 1000) + note.ttlSeconds),
      'content-type': 'application/json',
    };
  }

  #bearer(): string {
    const nowMs = this.#now();
    if (this.#token && nowMs - this.#token.createdMs < tokenTtlMs) return this.#token.text;
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = encode({ alg: 'ES256', kid: this.settings.keyId });
    const claims = encode({ iss: this.settings.teamId, iat: Math.floor(nowMs / 1000) });
    const signature = sign('sha256', Buffer.from(`${header}.${claims}`), {
      key: this.#privateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url');
    this.#token = { text: `${header}.${claims}.${signature}`, createdMs: nowMs };
    return this.#token.text;
  }

  #sessionTo(host: string): ClientHttp2Session {
    const open = this.#sessions.get(host);
    if (open && !open.closed && !open.destroyed) return open;
    const { ca } = this.options;
    const session = connect(host, ca ? { ca } : {});
    this.#sessions.set(host, session);
    const forget = () => {
      if (this.#sessions.get(host) === session) this.#sessions.delete(host);
    };
    session.on('error', forget).on('close', forget).on('goaway', forget);
    session.unref();
    return session;
  }

  #resultOf(status: number, reason: string): PushResult {
    if (status === 200) return { state: 'sent' };
    if (status === 410 || expiredTokenReasons.has(reason)) return { state: 'gone' };
    const isTokenExpired = reason === 'ExpiredProviderToken';
    // The next attempt gets a new one.
    if (isTokenExpired) this.#token = null;
    const isUnavailable = status === 0 || status === 429 || status >= 500 || isTokenExpired;
    return { state: isUnavailable ? 'away' : 'refused', reason: reason || String(status) };
  }
}

/** Apple's reason in a response; the start of the body when that is not JSON. */
function reasonIn(body: string): string {
  try {
    return (JSON.parse(body || '{}') as { reason?: string }).reason ?? '';
  } catch {
    return body.slice(0, 100);
  }
}

const payloadOf = (note: PushNotification): string =>
  JSON.stringify({
    aps: { alert: { title: note.title, body: note.body } },
    ...note.data,
    url: note.url,
  });
