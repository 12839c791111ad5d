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
 * Bandwidth's texts. A text carries our key as its tag, which comes back with every report. A text
 * whose response was lost is never sent again: it is looked up among Bandwidth's messages, or
 * confirmed by its first report.
 */
export function bandwidthMessaging(client: BandwidthClient): MessagingCarrier {
  return {
    name: 'bandwidth',
    isIdempotent: false,
    send: (text) => sendText(client, text),
    findByKey: (key) => findByKey(client, key),
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
  const { store } = client;
  const { thing: object, fresh } = await store.put('text', text.key, {
    facts: { from: text.from, to: text.to },
  });
  if (!fresh)
    return object.ref
      ? { state: 'accepted', providerId: object.ref }
      : { state: 'unknown', reason: 'The response to an earlier request to Bandwidth was lost.' };
  let response;
  try {
    response = await postText(client, text);
  } catch (error) {
    if (!wasNeverSent(error)) return { state: 'unknown', reason: String((error as Error).message) };
    await store.drop('text', text.key);
    return {
      state: 'refused',
      code: 'carrier_away',
      reason: 'Bandwidth can’t be reached.',
      permanent: false,
    };
  }
  const reply = parseObject(response.body);
  if (response.status < 300 && typeof reply['id'] === 'string') {
    await store.change('text', text.key, { ref: reply['id'] });
    return { state: 'accepted', providerId: reply['id'] };
  }
  // After a server error the text may have been sent. A refused request was neither billed nor
  // sent.
  if (response.status >= 500 || response.status < 400)
    return { state: 'unknown', reason: `Bandwidth answered ${response.status}.` };
  await store.drop('text', text.key);
  const description = reply['description'] ?? `Bandwidth answered ${response.status}.`;
  return refusalOf(response.status, String(description));
}

const postText = (client: BandwidthClient, text: OutgoingText) =>
  client.api.request(
    'messaging',
    'POST',
    messagesPath(client),
    json({
      applicationId: client.settings.messagingApplicationId,
      to: [text.to],
      from: text.from,
      ...(text.text ? { text: text.text } : {}),
      ...(text.media.length ? { media: text.media.map((m) => m.url) } : {}),
      tag: text.key,
    }),
  );

function refusalOf(status: number, description: string): SendResult {
  if (status === 429)
    return { state: 'refused', code: 'carrier_busy', reason: description, permanent: false };
  const problem = status === 401 ? 'credentials' : status === 403 ? 'permission' : null;
  if (problem) {
    const reason = accountProblemError('Bandwidth', problem).message;
    return { state: 'refused', code: 'account', reason, permanent: false };
  }
  const reason = `Bandwidth rejected this text: ${description.replace(/[.\s]*$/, '')}.`;
  return { state: 'refused', code: 'rejected', reason, permanent: true };
}

/**
 * The list has no tags: a text is found when exactly one message between its numbers since then has
 * no other key.
 */
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
  const [first] = found;
  if (!first || found.length > 1)
    return entry.ref ? { providerId: entry.ref, state: 'sent' } : null;
  await client.store.change('text', key, { ref: first.messageId });
  return {
    providerId: first.messageId,
    state: listedMessageStates[first.messageStatus] ?? 'sent',
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

/**
 * `/messages`: an array of events, each at least once, sent again for a day until they are
 * accepted.
 */
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
          if (!event.message?.id) continue;
          const message = { ...event.message, id: event.message.id };
          const at = Date.parse(event.time ?? '') || client.now().getTime();
          if (event.type === 'message-received') texts.push(incomingText(event, message, at));
          else {
            const report = deliveryReport(event, message, at);
            if (report?.key) await client.store.change('text', report.key, { ref: message.id });
            if (report) reports.push(report);
          }
        }
        if (texts.length) await sink.onTexts(texts);
        if (reports.length) await sink.onDeliveryReports(reports);
        return { status: 204 };
      },
    },
  ];
}

type Message = NonNullable<MessageEvent['message']> & { id: string };

const incomingText = (event: MessageEvent, message: Message, at: number): IncomingText => ({
  id: message.id,
  from: message.from ?? '',
  // In a group text, `owner` is the one of our numbers that this copy is for.
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

/** Null for an event that changes no delivery state. */
function deliveryReport(event: MessageEvent, message: Message, at: number): DeliveryReport | null {
  const code = event.errorCode ?? 0;
  const state = deliveryState(event.type ?? '', code);
  if (!state) return null;
  const error =
    event.type === 'message-failed'
      ? describeTextError(code, event.description ?? null)
      : { code: null, reason: null };
  return {
    id: `${message.id}:${error.code === 'unconfirmed' ? 'unconfirmed' : state}`,
    providerId: message.id,
    key: message.tag || null,
    state,
    ...error,
    at,
  };
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
