/** Bandwidth's voice events, and how they become ours. */
import type { LegId, VoiceEvent } from '../../gateways/voice.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';
import type { BandwidthClient } from './client.ts';
import type { TranscriptionAvailable } from './transcription-webhook.ts';

/** What we read of Bandwidth's voice events (its API's callback schemas). */
export interface BandwidthVoiceEvent {
  eventType?: string;
  eventTime?: string;
  callId?: string;
  from?: string;
  to?: string;
  cause?: string;
  answerTime?: string | null;
  digits?: string;
  recordingId?: string;
  transcription?: TranscriptionAvailable['transcription'];
  mediaUrl?: string;
  status?: string;
  duration?: string;
  channels?: number;
  displayName?: string;
}
/** An event without what is the same for all of them. */
type EventBody = VoiceEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

/** Null when it is not a JSON object. */
export function parseEvent(bytes: Buffer): BandwidthVoiceEvent | null {
  try {
    const event: unknown = parseWebhookJson(bytes);
    return typeof event === 'object' && event !== null && !Array.isArray(event) ? event : null;
  } catch {
    return null;
  }
}

/** Bandwidth's events have no sequence number: their time orders the events of a leg. */
export const voiceEvent = (
  client: BandwidthClient,
  target: { leg: LegId; call: LegId },
  body: EventBody,
  event: BandwidthVoiceEvent,
): VoiceEvent => {
  const at = Date.parse(event.eventTime ?? '') || client.now().getTime();
  return { ...body, call: target.call, leg: target.leg, seq: at, at } as VoiceEvent;
};
/** An ISO 8601 duration such as `PT1M13.67S` in milliseconds; 0 when it cannot be read. */
export function millisecondsOf(duration: string | undefined): number {
  const [, h = '0', m = '0', s = '0'] =
    /^PT(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(duration ?? '') ??
    [];
  return Math.round((Number(h) * 3600 + Number(m) * 60 + Number(s)) * 1000);
}
