/**
 * Faxes through Telnyx (programmable fax, API v2). Verified only against its public reference, never against a live
 * account. Telnyx fetches the document from our signed address; it reports by webhooks signed with Ed25519 over
 * `timestamp|body`, retried, in any order and more than once.
 */
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { FaxErrorCode } from '#contract/fax';
import type { FaxCarrier, FaxReport, FaxResult, IncomingFax } from '../../gateways/fax.ts';
import { HttpClientError } from '../../platform/http-client/errors.ts';
import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';

export interface TelnyxFax {
  apiKey: string;
  publicKey: string;
  faxAppId: string;
  /** For tests. */ url?: string;
  /** Hosts that media may be fetched from. */ mediaHosts?: RegExp;
}
/** A webhook older than this when it comes is a replay. */
const webhookToleranceSeconds = 300;
const maxBytes = 50_000_000;
const defaultMedia = /(^|\.)(telnyx\.com|amazonaws\.com|telnyxstorage\.com)$/;

const Payload = z.looseObject({
  fax_id: z.string(),
  direction: z.string().nullish(),
  status: z.string().nullish(),
  from: z.string().nullish(),
  to: z.string().nullish(),
  page_count: z.number().nullish(),
  media_url: z.string().nullish(),
  failure_reason: z.string().nullish(),
  client_state: z.string().nullish(),
});
const Webhook = z.looseObject({
  data: z.looseObject({
    event_type: z.string(),
    occurred_at: z.string().nullish(),
    payload: Payload,
  }),
});
const Fax = z.looseObject({
  data: z.looseObject({
    id: z.string(),
    status: z.string().nullish(),
    failure_reason: z.string().nullish(),
  }),
});

/** Telnyx's word for a failure → ours. What we do not know is "refused". */
const failureCodes: Record<string, FaxErrorCode> = {
  user_busy: 'busy',
  receiver_call_dropped: 'line_trouble',
  sender_call_dropped: 'line_trouble',
  receiver_communication_error: 'line_trouble',
  fax_signaling_error: 'line_trouble',
  fax_initial_communication_timeout: 'not_a_fax',
  no_answer: 'no_answer',
  receiver_no_answer: 'no_answer',
  receiver_no_response: 'not_a_fax',
  receiver_decline: 'rejected',
  receiver_incompatible_destination: 'not_a_fax',
  receiver_unallocated_number: 'no_answer',
  receiver_invalid_number_format: 'rejected',
  page_count_limit_exceeded: 'too_many_pages',
  file_size_limit_exceeded: 'too_large',
  file_download_failed: 'carrier_away',
};
const failureOf = (reason: string | null | undefined): FaxErrorCode =>
  failureCodes[reason ?? ''] ?? 'rejected';
const faxState = (status: string | null | undefined): FaxReport['state'] =>
  status === 'delivered' || status === 'failed' ? status : 'sending';

/** The account's key is 32 bytes, base64; Node wants it in its ASN.1 wrapping. */
const publicKeyOf = (raw: string) =>
  createPublicKey({
    key: Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(raw, 'base64'),
    ]),
    format: 'der',
    type: 'spki',
  });

export function telnyxFax(settings: TelnyxFax): FaxCarrier {
  const api = settings.url ?? 'https://api.telnyx.com';
  const key = publicKeyOf(settings.publicKey);
  const client = createHttpClient({ target: 'telnyx', totalMs: 20_000, headersMs: 20_000 });
  // Among the hosts of media are names that anybody may rent, and point inside.
  const media = createHttpClient({
    target: 'telnyx-media',
    totalMs: 30_000,
    maxBytes,
    ...(settings.mediaHosts ? {} : { only: publicInternet }),
  });
  const headers = {
    authorization: `Bearer ${settings.apiKey}`,
    'content-type': 'application/json',
  };
  return {
    // Its own ids are kept instead: a repeated request would be a second fax.
    name: 'telnyx',
    isIdempotent: false,
    send: async (fax): Promise<FaxResult> => {
      const body = JSON.stringify({
        connection_id: settings.faxAppId,
        to: fax.to,
        from: fax.from,
        media_url: fax.document.url,
        quality: 'high',
        store_media: false,
        client_state: Buffer.from(fax.key).toString('base64'),
      });
      const answer = await client
        .request(`${api}/v2/faxes`, { method: 'POST', headers, body })
        .catch(() => null);
      if (!answer) return { state: 'unknown' };
      if (answer.status === 429 || answer.status === 503)
        return { state: 'refused', code: 'carrier_away', permanent: false };
      if (answer.status >= 500) return { state: 'unknown' };
      if (answer.status >= 300) return { state: 'refused', code: 'rejected', permanent: true };
      const said = Fax.safeParse(parseJson(answer.body));
      return said.success
        ? { state: 'accepted', providerId: said.data.data.id }
        : { state: 'unknown' };
    },
    findFax: async ({ providerId }) => {
      if (!providerId) return null; // nothing to ask by: the webhook's client_state tells
      const answer = await client.request(`${api}/v2/faxes/${encodeURIComponent(providerId)}`, {
        headers,
        totalMs: 10_000,
      });
      if (answer.status === 404) return null;
      if (answer.status >= 300) throw new Error(`Telnyx answered ${answer.status}.`);
      const { data } = Fax.parse(parseJson(answer.body));
      return {
        providerId: data.id,
        state: faxState(data.status),
        code: data.status === 'failed' ? failureOf(data.failure_reason) : null,
      };
    },
    parseWebhook: (raw, given, cameAt) => {
      const at = Number(given['telnyx-timestamp']);
      const signature = Buffer.from(String(given['telnyx-signature-ed25519'] ?? ''), 'base64');
      if (
        !Number.isFinite(at) ||
        Math.abs(cameAt / 1000 - at) > webhookToleranceSeconds ||
        signature.length !== 64
      )
        return null;
      if (
        !verify(
          null,
          Buffer.concat([Buffer.from(`${String(given['telnyx-timestamp'])}|`), raw]),
          key,
          signature,
        )
      )
        return null;
      let json: unknown;
      try {
        json = parseWebhookJson(raw);
      } catch {
        return { faxes: [], reports: [] };
      }
      const said = Webhook.safeParse(json);
      return said.success ? parseWebhook(said.data.data) : { faxes: [], reports: [] };
    },
    fetchDocument: async (url) => {
      const from = URL.canParse(url) ? new URL(url) : null;
      // The address came by a signed webhook; even so nothing inside our own network is asked.
      if (
        !from ||
        (from.protocol !== 'https:' && !settings.mediaHosts) ||
        !(settings.mediaHosts ?? defaultMedia).test(from.hostname)
      )
        return null;
      // No redirect is followed: the address was checked, where it leads was not.
      const answer = await media.request(from.href).catch((error: unknown) => {
        if (error instanceof HttpClientError && error.code === 'TOO_LARGE') return null;
        throw error;
      });
      if (answer === null) return null;
      if (answer.status === 403 || answer.status === 404 || answer.status === 410) return null; // the link lives ten minutes
      if (answer.status >= 300) throw new Error(`Telnyx media answered ${answer.status}.`);
      return answer.body;
    },
  };
}

function parseWebhook(said: z.infer<typeof Webhook>['data']): {
  faxes: IncomingFax[];
  reports: FaxReport[];
} {
  const p = said.payload;
  const at = Date.parse(said.occurred_at ?? '') || 0;
  if (p.direction === 'inbound') {
    if (said.event_type !== 'fax.received' || !p.media_url || !p.to)
      return { faxes: [], reports: [] };
    return {
      faxes: [
        {
          id: p.fax_id,
          from: p.from ?? 'anonymous',
          to: p.to,
          pages: p.page_count ?? 0,
          url: p.media_url,
          at,
        },
      ],
      reports: [],
    };
  }
  const state =
    said.event_type === 'fax.delivered'
      ? 'delivered'
      : said.event_type === 'fax.failed'
        ? 'failed'
        : 'sending';
  const named = Buffer.from(p.client_state ?? '', 'base64').toString('utf8');
  return {
    faxes: [],
    reports: [
      {
        providerId: p.fax_id,
        key: named.startsWith('f.') ? named : null,
        state,
        code: state === 'failed' ? failureOf(p.failure_reason) : null,
        at,
      },
    ],
  };
}
