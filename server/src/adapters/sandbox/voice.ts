/** The sandbox voice carrier: commands go to the call's exchange over its internal HTTP API. */
import type { LegId, VoiceCarrier, VoiceCommand } from '../../gateways/voice.ts';
import { mintMediaToken } from '../../exchange/media-token.ts';
import { ExchangeClient, type Exchanges } from './exchanges.ts';

/** A token only serves to join; a page gets a new one each time. */
const tokenTtlMs = 10 * 60_000;

type LegStatus = Awaited<ReturnType<VoiceCarrier['getLegStatus']>>;

interface SandboxVoiceOptions {
  exchanges: Exchanges;
  secret: string;
  /** Where browsers reach the media plane: the path that the media proxy serves. */
  mediaUrl?: string;
}

/**
 * `close`: ends the connections to the exchanges. Requests throw when an exchange answers with an
 * error.
 */
export function sandboxVoice(
  options: SandboxVoiceOptions,
): VoiceCarrier & { close(): Promise<void> } {
  const { exchanges, secret } = options;
  const client = new ExchangeClient(exchanges, secret);
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

    async perform(commands: VoiceCommand[], exchange): Promise<void> {
      if (commands.length === 0) return;
      // One that has ended has no legs to act upon: the call clock ends its calls.
      await client.ask(exchange ?? (await client.best()), 'POST', '/commands', { commands });
    },

    async getLegStatus(leg: LegId, exchange): Promise<LegStatus> {
      const path = `/legs/${encodeURIComponent(leg)}`;
      return (await client.ask<LegStatus>(exchange ?? (await client.best()), 'GET', path)) ?? null;
    },

    exchanges: {
      choose: async () => (await exchanges.running())[0]?.id ?? null,
      hasRoom: () => exchanges.hasRoom(),
      forCarriers: (ofCall) => exchanges.forCarriers(ofCall),
      answers: async (exchange) => {
        const found = await client
          .ask<{ exchange: string }>(exchange, 'GET', '/livez')
          .catch(() => null);
        return found?.exchange === exchange;
      },
    },

    createClientToken(user) {
      const expiresAt = Date.now() + tokenTtlMs;
      const token = mintMediaToken({ kind: 'app', ...user }, secret, expiresAt);
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
