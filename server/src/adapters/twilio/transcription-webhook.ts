import type { CarrierEventSink } from '../../gateways/carrier.ts';
import type { LegId } from '../../gateways/voice.ts';
import type { TwilioClient } from './client.ts';

/**
 * A transcript by Twilio (`TranscriptionText`): one text for all speakers. Ignored when the leg is
 * unknown.
 */
export async function onTranscription(
  client: TwilioClient,
  leg: LegId,
  recording: string,
  fields: Readonly<Record<string, string>>,
  sink: CarrierEventSink,
): Promise<void> {
  const row = await client.store.read(leg);
  if (!row || !recording || !['completed', 'failed'].includes(fields['TranscriptionStatus'] ?? ''))
    return;
  const ready = fields['TranscriptionStatus'] === 'completed';
  await sink.onTranscripts?.([
    {
      call: row.call,
      recording,
      state: ready ? 'ready' : 'failed',
      engine: 'Twilio',
      language: fields['LanguageCode'] ?? 'en-US',
      confidence: null,
      text: ready ? (fields['TranscriptionText'] ?? '').trim() : '',
      ...(ready ? {} : { error: 'Twilio couldn’t transcribe it.' }),
    },
  ]);
}
