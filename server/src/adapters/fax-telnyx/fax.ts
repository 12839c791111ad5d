/**
 * Faxes through Telnyx (programmable fax, API v2). Verified against its public reference only, not with a live
 * account. Telnyx fetches the document from our signed URL and reports by webhooks signed with Ed25519 over
 * `timestamp|body`, which may be repeated and out of order.
 */
import { z } from 'zod';
import type { FaxErrorCode } from '#contract/fax/rules';
import type {
  FaxCarrier,
  FaxReport,
  FaxResult,
  IncomingFax,
  OutgoingFax,
} from '../../gateways/fax.ts';
import { HttpClientError } from '../../platform/http-client/errors.ts';
import {
  createHttpClient,
  parseJson,
  type HttpClient,
} from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';
import { isSigned, publicKeyOf } from './signature.ts';

interface TelnyxFax {
  apiKey: string;
  publicKey: string;
  faxAppId: string;
  /** Base URL of the API. For tests. */
  url?: string;
  /** Hosts that media may be fetched from. */
  mediaHosts?: RegExp;
}
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

/** Our failure code by Telnyx's; an unknown one is `rejected`. */
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

/** The account's key is 32 bytes in base64; Node needs it in DER. */
/** `isIdempotent` is false: Telnyx has no idempotency key, so a repeated request would send a second fax. */
export function telnyxFax(settings: TelnyxFax): FaxCarrier {
  const api = settings.url ?? 'https://api.telnyx.com';
  const key = publicKeyOf(settings.publicKey);
  const client = createHttpClient({ target: 'telnyx', totalMs: 20_000, headersMs: 20_000 });
  // Anyone can rent some of the media host names and point them inside our network.
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
    name: 'telnyx',
    isIdempotent: false,
    send: (fax) => sendFax(client, `${api}/v2/faxes`, headers, settings.faxAppId, fax),
    findFax: async ({ providerId }) => {
      // Without an id there is nothing to look up: the webhook's client_state has our key.
      if (!providerId) return null;
      const response = await client.request(`${api}/v2/faxes/${encodeURIComponent(providerId)}`, {
        headers,
        totalMs: 10_000,
      });
      if (response.status === 404) return null;
      if (response.status >= 300) throw new Error(`Telnyx answered ${response.status}.`);
      const { data } = Fax.parse(parseJson(response.body));
      const failed = data.status === 'failed';
      return {
        providerId: data.id,
        state: faxState(data.status),
        code: failed ? failureOf(data.failure_reason) : null,
      };
    },
    parseWebhook: (raw, given, cameAt) => {
      if (!isSigned(raw, given, cameAt, key)) return null;
      const event = Webhook.safeParse(parseWebhookBody(raw));
      return event.success ? parseWebhook(event.data.data) : { faxes: [], reports: [] };
    },
    fetchDocument: (url) => fetchDocument(media, settings, url),
  };
}

async function sendFax(
  client: HttpClient,
  url: string,
  headers: Record<string, string>,
  faxAppId: string,
  fax: OutgoingFax,
): Promise<FaxResult> {
  const body = JSON.stringify({
    connection_id: faxAppId,
    to: fax.to,
    from: fax.from,
    media_url: fax.document.url,
    quality: 'high',
    store_media: false,
    client_state: Buffer.from(fax.key).toString('base64'),
  });
  const response = await client.request(url, { method: 'POST', headers, body }).catch(() => null);
  if (!response) return { state: 'unknown' };
  if (response.status === 429 || response.status === 503)
    return { state: 'refused', code: 'carrier_away', permanent: false };
  if (response.status >= 500) return { state: 'unknown' };
  if (response.status >= 300) return { state: 'refused', code: 'rejected', permanent: true };
  const created = Fax.safeParse(parseJson(response.body));
  return created.success
    ? { state: 'accepted', providerId: created.data.data.id }
    : { state: 'unknown' };
}

/** Null when it is not JSON. */
function parseWebhookBody(raw: Buffer): unknown {
  try {
    return parseWebhookJson(raw);
  } catch {
    return null;
  }
}

/** Null when Telnyx no longer has it: its URLs are valid for ten minutes. */
async function fetchDocument(
  media: HttpClient,
  settings: TelnyxFax,
  url: string,
): Promise<Buffer | null> {
  const from = URL.canParse(url) ? new URL(url) : null;
  // The URL came in a signed webhook. Even so, no address inside our own network is requested.
  const isSecure = from?.protocol === 'https:' || settings.mediaHosts !== undefined;
  if (!from || !isSecure || !(settings.mediaHosts ?? defaultMedia).test(from.hostname)) return null;
  // Redirects are not followed: only this URL was checked.
  const response = await media.request(from.href).catch((error: unknown) => {
    if (error instanceof HttpClientError && error.code === 'TOO_LARGE') return null;
    throw error;
  });
  if (!response || [403, 404, 410].includes(response.status)) return null;
  if (response.status >= 300) throw new Error(`Telnyx media answered ${response.status}.`);
  return response.body;
}

function parseWebhook(event: z.infer<typeof Webhook>['data']): {
  faxes: IncomingFax[];
  reports: FaxReport[];
} {
  const p = event.payload;
  const at = Date.parse(event.occurred_at ?? '') || 0;
  if (p.direction === 'inbound') {
    if (event.event_type !== 'fax.received' || !p.media_url || !p.to)
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
  const states: Readonly<Record<string, FaxReport['state']>> = {
    'fax.delivered': 'delivered',
    'fax.failed': 'failed',
  };
  const state = states[event.event_type] ?? 'sending';
  const key = Buffer.from(p.client_state ?? '', 'base64').toString('utf8');
  return {
    faxes: [],
    reports: [
      {
        providerId: p.fax_id,
        key: key.startsWith('f.') ? key : null,
        state,
        code: state === 'failed' ? failureOf(p.failure_reason) : null,
        at,
      },
    ],
  };
}
