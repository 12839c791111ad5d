/**
 * Web push (RFC 8030, 8291, 8292): a notification encrypted for one browser and sent to its push
 * service.
 */
import { createECDH, createHmac } from 'node:crypto';
import type webpush from 'web-push';
import { createHttpClient, type HttpClient } from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import type { PushNotification, PushResult, PushTarget } from '../../gateways/push.ts';

interface VapidKeys {
  publicKey: string;
  privateKey: string;
}
/**
 * The VAPID key pair, derived from the server's secret: every process gets the same, and nothing is
 * stored.
 */
export function vapidKeys(appSecret: Buffer): VapidKeys {
  const pair = createECDH('prime256v1');
  for (let n = 0; ; n++) {
    // Almost any 32 bytes are a P-256 key; the few that are not are skipped.
    try {
      const secret = createHmac('sha256', appSecret).update(`web-push:${n}`).digest();
      pair.setPrivateKey(secret);
      return {
        publicKey: pair.getPublicKey('base64url'),
        privateKey: secret.toString('base64url'),
      };
    } catch {
      continue;
    }
  }
}

/**
 * Sends as the newest keys. A browser that subscribed under those of an earlier secret hears only
 * them (its service answers 401 or 403 otherwise), until it opens the app and subscribes anew.
 * `client` asks the push services; tests hand in their own.
 */
export function webPush(
  keys: readonly VapidKeys[],
  subject: string,
  client: Pick<HttpClient, 'request'> = createHttpClient({
    target: 'web-push',
    totalMs: 10_000,
    only: publicInternet,
  }),
) {
  return async (target: PushTarget, note: PushNotification): Promise<PushResult> => {
    let result: PushResult = { state: 'refused', reason: 'no keys' };
    for (const pair of keys) {
      result = await sendAs(pair, target, note);
      const isOthersKey = result.state === 'refused' && /^40[13]$/.test(result.reason);
      if (!isOthersKey) break;
    }
    return result;
  };

  async function sendAs(
    vapid: VapidKeys,
    target: PushTarget,
    note: PushNotification,
  ): Promise<PushResult> {
    if (!target.keys) return { state: 'gone' };
    const { kind, title, body, url, tag, data } = note;
    const { default: library } = await import('web-push'); // loaded by the first push
    let details: ReturnType<typeof webpush.generateRequestDetails>;
    try {
      details = library.generateRequestDetails(
        { endpoint: target.token, keys: target.keys },
        JSON.stringify({ kind, title, body, url, tag, data }),
        {
          vapidDetails: { subject, ...vapid },
          TTL: note.ttlSeconds,
          urgency: kind === 'call' ? 'high' : 'normal',
          contentEncoding: 'aes128gcm',
        },
      );
    } catch (error) {
      return { state: 'refused', reason: (error as Error).message };
    }
    const headers = Object.fromEntries(
      Object.entries(details.headers)
        .filter(([k]) => k.toLowerCase() !== 'content-length')
        .map(([k, v]) => [k, String(v)]),
    );
    // Redirects are not followed: the address was checked, where it leads was not.
    const answer = await client
      .request(details.endpoint, { method: 'POST', headers, body: details.body })
      .catch((error: unknown) => error as Error);
    if (answer instanceof Error) return { state: 'away', reason: answer.message };
    if (answer.status === 404 || answer.status === 410) return { state: 'gone' };
    if (answer.status === 429 || answer.status >= 500)
      return { state: 'away', reason: `${answer.status}` };
    return answer.status < 300
      ? { state: 'sent' }
      : { state: 'refused', reason: `${answer.status}` };
  }
}
