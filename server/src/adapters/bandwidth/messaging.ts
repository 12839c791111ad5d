import { refusedBy, type CarrierWebhook } from '../../ports/carrier.ts';
import type {
  DeliveryReport,
  IncomingText,
  MessagingCarrier,
  OutgoingText,
  SendResult,
} from '../../ports/messaging.ts';
import { wasNeverTaken } from './api.ts';
import { stateOfListed, stateOfMessage, wordsOfTextError } from './codes.ts';
import { isGenuine, webhookPath, type Desk } from './desk.ts';
import { readReport } from '../../platform/wire.ts';

const json = (value: unknown) => ({
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

/**
 * Bandwidth's texts. A text carries our key as its tag, which every report of it brings back. A lost answer is never sent
 * again from here: it is looked for among Bandwidth's messages, or told by its first report.
 */
export function bandwidthMessaging(desk: Desk): MessagingCarrier {
  return {
    name: 'bandwidth',
    guaranteesKey: false,
    send: (text) => send(desk, text),
    askByKey: (key) => askByKey(desk, key),
    // Its reports are proven by their address and password: they are read in `textWebhooks`.
    readWebhook: () => null,
    async fetchMedia(url) {
      const answer = await desk.api.fetch(url);
      if (!answer || answer.status === 404) return null;
      if (answer.status >= 300)
        throw new Error(`Bandwidth answered ${answer.status} for a picture.`);
      return { bytes: answer.body, contentType: answer.type || 'application/octet-stream' };
    },
  };
}

const account = (desk: Desk) => `/users/${encodeURIComponent(desk.settings.accountId)}/messages`;

async function send(desk: Desk, text: OutgoingText): Promise<SendResult> {
  const { book, settings, api } = desk;
  const { thing, fresh } = await book.keep('text', text.key, {
    facts: { from: text.from, to: text.to },
  });
  if (!fresh)
    return thing.ref
      ? { state: 'accepted', providerId: thing.ref }
      : { state: 'unknown', reason: 'Bandwidth was asked before and its answer was lost.' };
  let answer;
  try {
    answer = await api.ask(
      'messaging',
      'POST',
      account(desk),
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
    if (!wasNeverTaken(error))
      return { state: 'unknown', reason: String((error as Error).message) };
    await book.drop('text', text.key);
    return {
      state: 'refused',
      code: 'carrier_away',
      reason: 'Bandwidth cannot be reached.',
      permanent: false,
    };
  }
  const said = read(answer.body);
  if (answer.status < 300 && typeof said['id'] === 'string') {
    await book.change('text', text.key, { ref: said['id'] });
    return { state: 'accepted', providerId: said['id'] };
  }
  // Its own words: a refused request is neither billed nor sent. A server error says nothing of the kind.
  if (answer.status >= 500 || answer.status < 400)
    return { state: 'unknown', reason: `Bandwidth answered ${answer.status}.` };
  await book.drop('text', text.key);
  const reason = String(said['description'] ?? `Bandwidth answered ${answer.status}.`);
  if (answer.status === 429)
    return { state: 'refused', code: 'carrier_busy', reason, permanent: false };
  const trouble =
    answer.status === 401 ? 'credentials' : answer.status === 403 ? 'permission' : null;
  if (trouble)
    return {
      state: 'refused',
      code: 'account',
      reason: refusedBy('Bandwidth', trouble).message,
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
async function askByKey(
  desk: Desk,
  key: string,
): Promise<{ providerId: string; state: DeliveryReport['state'] } | null> {
  const kept = await desk.book.find('text', key);
  if (!kept) return null;
  const { from, to } = kept.facts as { from: string; to: string };
  const since = new Date(kept.createdAt.getTime() - 5000).toISOString().slice(0, 19) + 'Z';
  const wanted = new URLSearchParams(
    kept.ref
      ? { messageId: kept.ref }
      : {
          sourceTn: from,
          destinationTn: to,
          messageDirection: 'OUTBOUND',
          fromDateTime: since,
          limit: '50',
        },
  );
  const answer = await desk.api.ask('messaging', 'GET', `${account(desk)}?${wanted}`);
  if (answer.status >= 300)
    throw new Error(`Bandwidth answered ${answer.status} for its list of messages.`);
  const found: { messageId: string; messageStatus: string }[] = [];
  for (const each of (read(answer.body)['messages'] ?? []) as {
    messageId: string;
    messageStatus: string;
  }[]) {
    const whose = await desk.book.findRef('text', each.messageId);
    if (!whose || whose.key === key) found.push(each);
  }
  if (found.length !== 1) return kept.ref ? { providerId: kept.ref, state: 'sent' } : null;
  await desk.book.change('text', key, { ref: found[0]!.messageId });
  return {
    providerId: found[0]!.messageId,
    state: stateOfListed[found[0]!.messageStatus] ?? 'sent',
  };
}

interface Event {
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
export function textWebhooks(desk: Desk): CarrierWebhook[] {
  return [
    {
      path: webhookPath('messages'),
      answer: async (request, hear) => {
        if (!isGenuine(desk, request)) return { status: 403 };
        const said: unknown = parse(request.body);
        if (!Array.isArray(said)) return { status: 400 };
        const texts: IncomingText[] = [];
        const reports: DeliveryReport[] = [];
        for (const event of said as Event[]) {
          const { message } = event;
          if (!message?.id) continue;
          const at = Date.parse(event.time ?? '') || desk.now().getTime();
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
          const state = stateOfMessage(event.type ?? '', event.errorCode ?? 0);
          if (!state) continue;
          const key = message.tag || null;
          if (key) await desk.book.change('text', key, { ref: message.id });
          const words =
            event.type === 'message-failed'
              ? wordsOfTextError(event.errorCode ?? 0, event.description ?? null)
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
        if (texts.length) await hear.texts(texts);
        if (reports.length) await hear.receipts(reports);
        return { status: 204 };
      },
    },
  ];
}

const read = (bytes: Buffer): Record<string, unknown> =>
  (parse(bytes) as Record<string, unknown> | null) ?? {};
function parse(bytes: Buffer): unknown {
  try {
    return readReport(bytes);
  } catch {
    return null;
  }
}
