/** How the switch signs what it reports, and how the web process makes sure that it was the switch. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { VoiceEvent } from '../../ports/voice.ts';

export const voiceWebhookPath = '/carriers/sandbox/voice';
export const signatureHeader = 'x-sandbox-signature';

export function signWebhook(rawBody: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(rawBody).digest('hex');
}

export class WrongSignature extends Error {
  constructor() {
    super('The webhook is not signed by this sandbox carrier.');
  }
}

/**
 * The events of one webhook. `rawBody` must be the bytes as they came, not re-serialized JSON.
 * Throws WrongSignature (answer 403 and change nothing).
 */
export function readVoiceWebhook(rawBody: string | Buffer, headers: Record<string, string | string[] | undefined>, secret: string): VoiceEvent[] {
  const given = headers[signatureHeader];
  const expected = Buffer.from(signWebhook(rawBody, secret));
  const actual = Buffer.from(typeof given === 'string' ? given : '');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw new WrongSignature();
  return JSON.parse(rawBody.toString('utf8')) as VoiceEvent[];
}
