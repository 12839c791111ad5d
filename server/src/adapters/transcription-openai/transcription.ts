/**
 * A speech server behind an OpenAI-compatible API: `POST /v1/audio/transcriptions`. Each channel is sent
 * alone, so that it is known who said what. Checked against the published reference and a server of our
 * own, not with a live account.
 */
import type { TranscriptionGateway } from '../../gateways/transcription.ts';
import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import type { SpeechPart } from '../../platform/audio/split-recording.ts';
import { Heard, transcribeParts } from '../shared/transcribe-parts.ts';

interface ServerSettings {
  url: string;
  model: string;
  key: string | null;
}

/** Servers take 25 MB at most: this is 19 MB at 16,000 samples a second. */
const LONGEST_PART_MS = 10 * 60_000;

/** Transcription by an OpenAI-compatible speech server. */
export function openAiTranscriber(settings: ServerSettings): TranscriptionGateway {
  const client = createHttpClient({
    target: 'transcription',
    totalMs: 600_000,
    headersMs: 600_000,
    bodyMs: 600_000,
  });
  const engine = new URL(settings.url).host;

  /** What was said in a part. Throws when the server doesn't transcribe it. */
  async function ask(part: SpeechPart, language: string): Promise<Heard> {
    const form = new FormData();
    const file = new Blob([Buffer.from(part.wav)], { type: 'audio/wav' });
    form.set('file', file, `channel-${part.channel}.wav`);
    form.set('model', settings.model);
    form.set('language', language.slice(0, 2));
    form.set('response_format', 'verbose_json');
    form.append('timestamp_granularities[]', 'word');
    form.append('timestamp_granularities[]', 'segment');
    const answer = await client.request(`${settings.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: settings.key ? { authorization: `Bearer ${settings.key}` } : {},
      body: form,
    });
    if (answer.status >= 300) throw new Error(`The speech server answered ${answer.status}.`);
    const said = Heard.safeParse(parseJson(answer.body));
    if (!said.success) throw new Error('The speech server’s answer has no text.');
    return said.data;
  }

  return {
    engine,
    transcribe: (request) =>
      transcribeParts(request, {
        engine,
        model: settings.model,
        longestPartMs: LONGEST_PART_MS,
        hear: ask,
      }),
  };
}
