import type { LegId, VoiceEvent } from '../../gateways/voice.ts';
import type { TwilioClient } from './client.ts';

/** The form fields of a webhook. */
export type Fields = Readonly<Record<string, string>>;

/** An event without what is the same for all of them. */
type EventBody = VoiceEvent extends infer E
  ? E extends unknown
    ? Omit<E, 'call' | 'leg' | 'seq' | 'at'>
    : never
  : never;

/** `seq`: Twilio's `SequenceNumber`, which orders the events of a leg. */
export const voiceEvent = (
  client: TwilioClient,
  target: { leg: LegId; call: LegId },
  body: EventBody,
  seq?: string,
): VoiceEvent =>
  ({
    ...body,
    call: target.call,
    leg: target.leg,
    seq: Number(seq) || 0,
    at: client.now().getTime(),
  }) as VoiceEvent;
