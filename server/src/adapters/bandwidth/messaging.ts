import { accountProblemError, type CarrierWebhook } from '../../gateways/carrier.ts';
import type {
  DeliveryReport,
  IncomingText,
  MessagingCarrier,
  OutgoingText,
  SendResult,
} from '../../gateways/messaging.ts';
import { wasNeverSent } from '../../platform/http-client/errors.ts';
import { listedMessageStates, deliveryState, describeTextError } from './codes.ts';
import { isAuthentic, webhookPath, type BandwidthClient } from './client.ts';
import { parseWebhookJson } from '../../platform/http/request-fields.ts';

const json = (value: unknown) => ({
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

/**
 * Bandwidth's texts. A text carries our key as its tag, which every report of it brings back. A lost answer is never sent
 * again from here: it is looked for among Bandwidth's messages, or told by its first report.
 */
export function bandwidthMessaging(client: BandwidthClient): MessagingCarrier {
  return {
    name: 'bandwidth',
    isIdempotent: false,
    send: (text) => sendText(client, text),
    findByKey: (key) => findByKey(client, key),
    // Its reports are proven by their address and password: they are read in `textWebhooks`.
    parseWebhook: () => null,
    async fetchMedia(url) {
      const answer = await client.api.fetch(url);
      if (!answer || answer.status === 404) return null;
      if (answer.status >= 300)
        throw new Error(`Bandwidth answered ${answer.status} for a picture.`);
      return { bytes: answer.body, contentType: answer.type || 'application/octet-stream' };
    },
  };
}

const messagesPath = (client: BandwidthClient) =>
  `/users/${encodeURIComponent(client.settings.accountId)}/messages`;

async function sendText(client: BandwidthClient, text: OutgoingText): Promise<SendResult> {
  const { store, settings, api } = client;
  const { thing: object, fresh } = await store.put('text', text.key, {
    facts: { from: text.from, to: text.to },
  });
  if (!fresh)
    return object.ref
      ? { state: 'accepted', providerId: object.ref }
      : { state: 'unknown', reason: 'Bandwidth was asked before and its answer was lost.' };
  let answer;
  try {
    answer = await api.request(
      'messaging',
      'POST',
      messagesPath(client),
      json({
        applicationId: settings.messagingApplicationId,
        to: [text.to],
        from: text.from,
        ...(text.text ? { text: text.text } : {}),
        ...(text.media.length ? { media: text.media.map((m) => m.url) } : {}),
        tag: text.key,
      }),
    );
  } catch (error) {
    if (!wasNeverSent(error)) return { state: 'unknown', reason: String((error as Error).message) };
    await store.drop('text', text.key);
    return {
      state: 'refused',
      code: 'carrier_away',
      reason: 'Bandwidth cannot be reached.',
      permanent: false,
    };
  }
  const reply = parseObject(answer.body);
  if (answer.status < 300 && typeof reply['id'] === 'string') {
    await store.change('text', text.key, { ref: reply['id'] });
    return { state: 'accepted', providerId: reply['id'] };
  }
  // Its own words: a refused request is neither billed nor sent. A server error says nothing of the kind.
  if (answer.status >= 500 || answer.status < 400)
    return { state: 'unknown', reason: `Bandwidth answered ${answer.status}.` };
  await store.drop('text', text.key);
  const reason = String(reply['description'] ?? `Bandwidth answered ${answer.status}.`);
  if (answer.status === 429)
    return { state: 'refused', code: 'carrier_busy', reason, permanent: false };
  const trouble =
    answer.status === 401 ? 'credentials' : answer.status === 403 ? 'permission' : null;
  if (trouble)
    return {
      state: 'refused',
      code: 'account',
      reason: accountProblemError('Bandwidth', trouble).message,
      permanent: false,
    };
  return {
    state: 'refused',
    code: 'rejected',
    reason: `Bandwidth refused this text: ${reason.replace(/[.\s]*$/, '')}.`,
    permanent: true,
  };
}

/** The list knows no tags: a text counts as found when exactly one message between the two numbers since then is nobody else's. */
async function findByKey(
  client: BandwidthClient,
  key: string,
): Promise<{ providerId: string; state: DeliveryReport['state'] } | null> {
  const entry = await client.store.get('text', key);
  if (!entry) return null;
  const { from, to } = entry.facts as { from: string; to: string };
  const since = new Date(entry.createdAt.getTime() - 5000).toISOString().slice(0, 19) + 'Z';
  const wanted = new URLSearchParams(
    entry.ref
      ? { messageId: entry.ref }
      : {
          sourceTn: from,
          destinationTn: to,
          messageDirection: 'OUTBOUND',
          fromDateTime: since,
          limit: '50',
        },
  );
  const answer = await client.api.request('messaging', 'GET', `${messagesPath(client)}?${wanted}`);
  if (answer.status >= 300)
    throw new Error(`Bandwidth answered ${answer.status} for its list of messages.`);
  const found: { messageId: string; messageStatus: string }[] = [];
  for (const each of (parseObject(answer.body)['messages'] ?? []) as {
    messageId: string;
    messageStatus: string;
  }[]) {
    const ownerKey = await client.store.getByRef('text', each.messageId);
    if (!ownerKey || ownerKey.key === key) found.push(each);
  }
  if (found.length !== 1) return entry.ref ? { providerId: entry.ref, state: 'sent' } : null;
  await client.store.change('text', key, { ref: found[0]!.messageId });
  return {
    providerId: found[0]!.messageId,
    state: listedMessageStates[found[0]!.messageStatus] ?? 'sent',
  };
}

interface MessageEvent {
  type?: string;
  time?: string;
  description?: string;
  errorCode?: number;
  to?: string;
  message?: {
    id?: string;
    from?: string;
    to?: string[];
    owner?: string;
    text?: string;
    media?: string[];
    tag?: string;
    direction?: string;
  };
}

/** `/messages`: an array of events, at least once each, said again for a day until they are taken. */
export function messagingWebhooks(client: BandwidthClient): CarrierWebhook[] {
  return [
    {
      path: webhookPath('messages'),
      handle: async (request, sink) => {
        if (!isAuthentic(client, request)) return { status: 403 };
        const events: unknown = parse(request.body);
        if (!Array.isArray(events)) return { status: 400 };
        const texts: IncomingText[] = [];
        const reports: DeliveryReport[] = [];
        for (const event of events as MessageEvent[]) {
          const { message } = event;
          if (!message?.id) continue;
          const at = Date.parse(event.time ?? '') || client.now().getTime();
          if (event.type === 'message-received') {
            // In a group text `owner` is the one of our numbers this copy is for.
            texts.push({
              id: message.id,
              from: message.from ?? '',
              to: message.owner ?? event.to ?? '',
              text: message.text ?? '',
              at,
              media: (message.media ?? [])
                .filter((url) => !/\.smil(\?|$)/i.test(url))
                .slice(0, 10)
                .map((url, i) => ({
                  url,
                  contentType: 'application/octet-stream',
                  name: decodeURIComponent(url.split('/').pop() ?? '') || `picture-${i + 1}`,
                })),
            });
            continue;
          }
          const state = deliveryState(event.type ?? '', event.errorCode ?? 0);
          if (!state) continue;
          const key = message.tag || null;
          if (key) await client.store.change('text', key, { ref: message.id });
          const words =
            event.type === 'message-failed'
              ? describeTextError(event.errorCode ?? 0, event.description ?? null)
              : { code: null, reason: null };
          reports.push({
            id: `${message.id}:${words.code === 'unconfirmed' ? 'unconfirmed' : state}`,
            providerId: message.id,
            key,
            state,
            ...words,
            at,
          });
        }
        if (texts.length) await sink.onTexts(texts);
        if (reports.length) await sink.onDeliveryReports(reports);
        return { status: 204 };
      },
    },
  ];
}

const parseObject = (bytes: Buffer): Record<string, unknown> =>
  (parse(bytes) as Record<string, unknown> | null) ?? {};
function parse(bytes: Buffer): unknown {
  try {
    return parseWebhookJson(bytes);
  } catch {
    return null;
  }
}
