/** How the exchange and the other processes talk: headers, the path of its webhook, its signature. */
import { createHmac } from 'node:crypto';

/** Carries the secret that the web and media processes share. */
export const secretHeader = 'x-sandbox-secret';
/** Names the exchange that is meant: another process may have its port by now. */
export const exchangeHeader = 'x-exchange';
/** Where the web process takes the exchange's events. */
export const voiceWebhookPath = '/carriers/sandbox/voice';
export const signatureHeader = 'x-sandbox-signature';

/** The signature of a webhook body: HMAC-SHA256, hexadecimal. */
export function signWebhook(rawBody: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(rawBody).digest('hex');
}
