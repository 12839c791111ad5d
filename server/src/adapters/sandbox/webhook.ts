/** The sandbox's webhooks for calls, and the signatures of all of them. */
import { timingSafeEqual } from 'node:crypto';
import type { CarrierWebhook } from '../../gateways/carrier.ts';
import type { CarrierTranscript } from '../../gateways/transcription.ts';
import type { VoiceEvent } from '../../gateways/voice.ts';
import { signatureHeader, signWebhook, voiceWebhookPath } from '../../exchange/protocol.ts';

export const transcriptionWebhookPath = '/carriers/sandbox/voice/transcription';

/** Whether the sandbox signed this raw body. */
export function isSignedBy(
  secret: string,
  rawBody: string | Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  const given = headers[signatureHeader];
  const [expected, actual] = [
    Buffer.from(signWebhook(rawBody, secret)),
    Buffer.from(typeof given === 'string' ? given : ''),
  ];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Null when it is not JSON. */
export function parseJson(rawBody: string | Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

export class InvalidSignature extends Error {
  constructor() {
    super('The webhook isn’t signed by this sandbox carrier.');
  }
}

/**
 * The events of a webhook. `rawBody` is the body as received, not re-serialized JSON. Throws
 * InvalidSignature.
 */
export function readVoiceWebhook(
  rawBody: string | Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secret: string,
): VoiceEvent[] {
  if (!isSignedBy(secret, rawBody, headers)) throw new InvalidSignature();
  return JSON.parse(rawBody.toString('utf8')) as VoiceEvent[];
}

/** Where the exchange reports calls, and transcripts are posted. */
export const voiceWebhooks = (secret: string): CarrierWebhook[] => [
  {
    path: voiceWebhookPath,
    // Answered once the events are stored; the commands they cause are performed afterwards.
    handle: async ({ body, headers }, sink) => {
      if (!isSignedBy(secret, body, headers)) return { status: 403 };
      await sink.onVoiceEvents((parseJson(body) ?? []) as VoiceEvent[]);
      return { status: 204 };
    },
  },
  {
    path: transcriptionWebhookPath,
    handle: async ({ body, headers }, sink) => {
      if (!isSignedBy(secret, body, headers)) return { status: 403 };
      await sink.onTranscripts?.((parseJson(body) ?? []) as CarrierTranscript[]);
      return { status: 204 };
    },
  },
];
