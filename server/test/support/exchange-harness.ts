/**
 * For tests: an exchange with a synthetic voice, a receiver of its webhooks, and ways to wait for
 * events.
 */
import { onlyExchange } from './only-exchange.ts';
import Fastify from 'fastify';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpeechGateway } from '../../src/gateways/speech.ts';
import type { VoiceCommand, VoiceEvent } from '../../src/gateways/voice.ts';
import { writeWav } from '../../src/platform/audio/wav.ts';
import { currentFaults } from '../../src/adapters/sandbox/fault-injection.ts';
import { sandboxVoice } from '../../src/adapters/sandbox/voice.ts';
import { voiceWebhookPath } from '../../src/exchange/protocol.ts';
import { readVoiceWebhook } from '../../src/adapters/sandbox/webhook.ts';
import { startExchange, type ExchangeOptions } from '../../src/exchange/start-exchange.ts';
import { tone } from '../../src/platform/audio/tones.ts';

/**
 * Every text becomes a tone: 40 ms per character, its pitch set by the first letter (A is 400 Hz,
 * plus 20 Hz per letter).
 */
export const toyPitchHz = (text: string): number =>
  400 + 20 * ((text.toUpperCase().charCodeAt(0) - 65 + 26) % 26);
export const toySpeech: SpeechGateway = {
  engine: 'toy',
  voices: () => Promise.resolve([]),
  synthesize: ({ text }) => {
    const pcm16k = tone([toyPitchHz(text)], text.length * 40, 0.5);
    return Promise.resolve({
      pcm16k,
      wav: writeWav({ sampleRate: 16_000, channels: [pcm16k] }),
      durationMs: text.length * 40,
    });
  },
};

type EventOf<Type extends VoiceEvent['type']> = Extract<VoiceEvent, { type: Type }>;

export async function startTestExchange(options: Partial<ExchangeOptions> = {}) {
  const secret = options.secret ?? 'a secret of at least sixteen';
  const events: VoiceEvent[] = [];
  const listeners = new Set<() => void>();
  /** What the webhook receiver answers. */
  const product = { status: 204, slowMs: 0 };

  const receiver = Fastify({ forceCloseConnections: true });
  receiver.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  receiver.post(voiceWebhookPath, async (request, reply) => {
    const read = readVoiceWebhook(request.body as Buffer, request.headers, secret);
    if (product.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, product.slowMs));
    if (product.status < 300) events.push(...read);
    for (const listener of listeners) listener();
    return reply.code(product.status).send();
  });
  const publicWebUrl = await receiver.listen({ port: 0, host: '127.0.0.1' });
  const exchange = await startExchange({
    port: 0,
    secret,
    publicWebUrl: () => publicWebUrl,
    filesDir: mkdtempSync(join(tmpdir(), 'switch-')),
    speech: toySpeech,
    fetchFile: () => Promise.resolve(null),
    faults: currentFaults,
    audioTimeoutMs: 60_000,
    ...options,
  });
  const voice = sandboxVoice({ exchanges: onlyExchange(() => exchange.url), secret });
  let commands = 0;

  const until = async <Event extends VoiceEvent>(
    which: (event: VoiceEvent) => event is Event,
    timeoutMs = 30_000,
  ): Promise<Event> => {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = events.find(which);
      if (found) return found;
      if (performance.now() > deadline)
        throw new Error(
          `It never happened. Told: ${JSON.stringify(events.map(({ leg, type }) => `${leg} ${type}`))}`,
        );
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          listeners.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, 100);
        listeners.add(wake);
      });
    }
  };

  return {
    secret,
    events,
    product,
    voice,
    url: exchange.url,
    sipPort: exchange.sipPort,
    exchange: exchange.exchange,
    publicWebUrl: () => publicWebUrl,
    /** The next event of this kind for this leg, past ones included. */
    told: <Type extends VoiceEvent['type']>(type: Type, leg?: string, patienceMs?: number) =>
      until(
        (event): event is EventOf<Type> =>
          event.type === type && (leg === undefined || event.leg === leg),
        patienceMs,
      ),
    ended: (commandId: string, patienceMs?: number) =>
      until(
        (event): event is EventOf<'promptEnded'> =>
          event.type === 'promptEnded' && event.commandId === commandId,
        patienceMs,
      ),
    /**
     * Performs commands, each with a new id unless it has one. Resolves with the id of the last.
     */
    async perform(
      ...asked: (VoiceCommand extends infer C
        ? C extends VoiceCommand
          ? Omit<C, 'id'> & { id?: string }
          : never
        : never)[]
    ): Promise<string> {
      const numbered = asked.map(
        (command) => ({ ...command, id: command.id ?? `command-${++commands}` }) as VoiceCommand,
      );
      await voice.perform(numbered);
      return numbered.at(-1)?.id ?? '';
    },
    /** The exchange's HTTP endpoints, as the web process forwards to them. */
    async http<Answer = Record<string, unknown>>(
      method: 'GET' | 'POST',
      path: string,
      body?: object,
    ): Promise<Answer & { status: number }> {
      const answer = await fetch(`${exchange.url}${path}`, {
        method,
        headers: { 'x-sandbox-secret': secret, 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
      });
      const json = (await answer.json()) as Answer;
      return Array.isArray(json)
        ? (json as Answer & { status: number })
        : { ...json, status: answer.status };
    },
    async close() {
      await voice.close();
      await exchange.close();
      await receiver.close();
    },
  };
}
