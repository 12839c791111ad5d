/** The sandbox voice carrier as the product sees it: commands go to the switch over its internal HTTP. */
import { Agent } from 'undici';
import type { LegId, VoiceCarrier, VoiceCommand } from '../../gateways/voice.ts';
import { mintMediaToken } from './media-token.ts';

export {
  readVoiceWebhook,
  voiceWebhookPath,
  InvalidSignature as WrongSignature,
} from './webhook.ts';

export const secretHeader = 'x-sandbox-secret';

/** A token is for joining only; the page asks for a fresh one when it joins again. */
const tokenTtlMs = 10 * 60_000;

type LegStatus = Awaited<ReturnType<VoiceCarrier['getLegStatus']>>;

export function sandboxVoice(options: {
  /** Where the media process listens now, e.g. `http://127.0.0.1:4100`; it may come back at another port. */
  exchangeUrl: () => string;
  secret: string;
  /** Where browsers reach the media plane: the path the media proxy serves. */
  mediaUrl?: string;
}): VoiceCarrier & { close(): Promise<void> } {
  const agent = new Agent({ connections: 8, headersTimeout: 10_000, bodyTimeout: 10_000 });
  const headers = { [secretHeader]: options.secret, 'content-type': 'application/json' };

  return {
    name: 'sandbox',
    // The switch is taught to ring one leg at a time, so every group is orchestrated by our own engine.
    capabilities: {
      parallelTargets: 0,
      confirmWithSeveralTargets: false,
      sequential: false,
      whisper: true,
      rooms: true,
    },

    async perform(commands: VoiceCommand[]): Promise<void> {
      if (commands.length === 0) return;
      const answer = await agent.request({
        origin: options.exchangeUrl(),
        method: 'POST',
        path: '/commands',
        headers,
        body: JSON.stringify({ commands }),
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300)
        throw new Error(
          `The sandbox exchange answered ${answer.statusCode}: ${text.slice(0, 200)}`,
        );
    },

    async getLegStatus(leg: LegId): Promise<LegStatus> {
      const answer = await agent.request({
        origin: options.exchangeUrl(),
        method: 'GET',
        path: `/legs/${encodeURIComponent(leg)}`,
        headers,
      });
      if (answer.statusCode === 404) {
        await answer.body.dump();
        return null;
      }
      if (answer.statusCode >= 300)
        throw new Error(`The sandbox exchange answered ${answer.statusCode}`);
      return (await answer.body.json()) as LegStatus;
    },

    async runningSince(): Promise<number> {
      const answer = await agent.request({
        origin: options.exchangeUrl(),
        method: 'GET',
        path: '/livez',
        headers,
      });
      if (answer.statusCode >= 300)
        throw new Error(`The sandbox exchange answered ${answer.statusCode}`);
      return ((await answer.body.json()) as { since: number }).since;
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

    close: () => agent.close(),
  };
}
