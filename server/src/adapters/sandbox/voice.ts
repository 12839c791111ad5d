/** The sandbox voice carrier: commands go to the exchange over its internal HTTP API. */
import { Agent } from 'undici';
import { secretHeader } from '../../exchange/protocol.ts';
import type { LegId, VoiceCarrier, VoiceCommand } from '../../gateways/voice.ts';
import { mintMediaToken } from '../../exchange/media-token.ts';

/** A token only serves to join; a page gets a new one each time. */
const tokenTtlMs = 10 * 60_000;

type LegStatus = Awaited<ReturnType<VoiceCarrier['getLegStatus']>>;

interface SandboxVoiceOptions {
  /** Base URL of the media process, which may restart at another port. */
  exchangeUrl: () => string;
  secret: string;
  /** Where browsers reach the media plane: the path that the media proxy serves. */
  mediaUrl?: string;
}

/**
 * `close`: ends the connections to the exchange. Requests throw when the exchange answers with an
 * error.
 */
export function sandboxVoice(
  options: SandboxVoiceOptions,
): VoiceCarrier & { close(): Promise<void> } {
  const client = new ExchangeClient(options);
  return {
    name: 'sandbox',
    // The exchange rings one leg at a time, so our own engine orchestrates every ring group.
    capabilities: {
      parallelTargets: 0,
      confirmWithSeveralTargets: false,
      sequential: false,
      whisper: true,
      rooms: true,
    },

    async perform(commands: VoiceCommand[]): Promise<void> {
      if (commands.length === 0) return;
      const response = await client.request('POST', '/commands', { commands });
      await response.dump();
    },

    async getLegStatus(leg: LegId): Promise<LegStatus> {
      return client.find<LegStatus>(`/legs/${encodeURIComponent(leg)}`);
    },

    async runningSince(): Promise<number> {
      const response = await client.request('GET', '/livez');
      return ((await response.json()) as { since: number }).since;
    },

    createClientToken(user) {
      const expiresAt = Date.now() + tokenTtlMs;
      const token = mintMediaToken({ kind: 'app', ...user }, options.secret, expiresAt);
      return Promise.resolve({
        token,
        url: options.mediaUrl ?? '/media',
        expiresAt: new Date(expiresAt).toISOString(),
        iceServers: [],
      });
    },

    close: () => client.close(),
  };
}

/** The exchange's internal HTTP API. */
class ExchangeClient {
  readonly #agent = new Agent({ connections: 8, headersTimeout: 10_000, bodyTimeout: 10_000 });

  constructor(private readonly options: SandboxVoiceOptions) {}

  /** Throws unless the answer is a success. */
  async request(method: 'GET' | 'POST', path: string, body?: object) {
    const response = await this.#send(method, path, body);
    if (response.statusCode >= 300) {
      const text = (await response.body.text()).slice(0, 200);
      throw new Error(`The exchange answered ${response.statusCode}: ${text}`);
    }
    return response.body;
  }

  /** Null for a 404; throws for any other error. */
  async find<T>(path: string): Promise<T | null> {
    const { statusCode, body } = await this.#send('GET', path);
    if (statusCode < 300) return (await body.json()) as T;
    await body.dump();
    if (statusCode === 404) return null;
    throw new Error(`The exchange answered ${statusCode}`);
  }

  #send(method: 'GET' | 'POST', path: string, body?: object) {
    return this.#agent.request({
      origin: this.options.exchangeUrl(),
      method,
      path,
      headers: { [secretHeader]: this.options.secret, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
