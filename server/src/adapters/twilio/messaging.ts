import { createHash } from 'node:crypto';
import type { CarrierWebhook } from '../../ports/carrier.ts';
import type {
  IncomingText,
  MessagingCarrier,
  OutgoingText,
  SendResult,
} from '../../ports/messaging.ts';
import { whatBecame } from './api.ts';
import { stateOfWord } from '../text-errors.ts';
import { stateOfMessage, textErrorPasses, wordsOfTextError } from './codes.ts';
import { pathOf, type Desk } from './desk.ts';
import { readSigned } from './signature.ts';
import { noReply } from './twiml.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Twilio's texts. It has no key for a text, so what is about to be sent is written down first and a lost answer is looked
 * for among Twilio's messages by both ends, words and time; it is never sent again from here.
 */
export function twilioMessaging(desk: Desk): MessagingCarrier {
  return {
    name: 'twilio',
    guaranteesKey: false,
    send: (text) => send(desk, text),
    async askByKey(key) {
      const kept = await desk.book.find('text', key);
      if (!kept) return null;
      const found = kept.ref
        ? await desk.api.client.messages(kept.ref).fetch()
        : await findLost(desk, key, kept);
      return found
        ? { providerId: found.sid, state: stateOfMessage(found.status) ?? 'sent' }
        : null;
    },
    // Its webhooks are forms with a signature over their address: they are read in `textWebhooks`.
    readWebhook: () => null,
    async fetchMedia(url) {
      // Only Twilio's own hosts see our credentials.
      if (!/^https:\/\/(api|media|mms)\.(twilio\.com|twiliocdn\.com|us1\.twilio\.com)\//.test(url))
        return null;
      const { status, type, bytes } = await desk.api.get(url);
      if (status === 404) return null;
      if (status >= 300) throw new Error(`Twilio answered ${status} for a picture.`);
      return { bytes, contentType: type };
    },
  };
}

async function send(desk: Desk, text: OutgoingText): Promise<SendResult> {
  const { book } = desk;
  const { thing, fresh } = await book.keep('text', text.key, {
    facts: { from: text.from, to: text.to, words: hash(text.text) },
  });
  if (!fresh)
    return thing.ref
      ? { state: 'accepted', providerId: thing.ref }
      : { state: 'unknown', reason: 'Twilio was asked before and its answer was lost.' };
  try {
    const message = await desk.api.client.messages.create({
      to: text.to,
      from: text.from,
      ...(await sharedService(desk, text.from)),
      ...(text.text || !text.media.length ? { body: text.text } : {}),
      ...(text.media.length ? { mediaUrl: text.media.map((m) => m.url) } : {}),
      statusCallback: `${desk.publicUrl}${pathOf('sms/status')}?${new URLSearchParams({ key: text.key })}`,
    });
    await book.change('text', text.key, { ref: message.sid });
    return { state: 'accepted', providerId: message.sid };
  } catch (error) {
    const became = whatBecame(error);
    if (became.is === 'unknown') return { state: 'unknown', reason: became.reason };
    // Twilio has nothing of it: the same key may be tried again.
    await book.drop('text', text.key);
    if (became.is === 'untouched')
      return { state: 'refused', code: 'carrier_away', reason: became.reason, permanent: false };
    // Some answers to refused credentials bring no code of Twilio's.
    const words = wordsOfTextError(
      became.code || (became.status === 401 ? 20003 : 0),
      became.reason,
    );
    return {
      state: 'refused',
      ...words,
      permanent: !textErrorPasses(became.code) && became.status !== 401,
    };
  }
}

/**
 * The messaging service that the settings name, for numbers that were registered outside of here. A number whose registration
 * here has a messaging service of its own sits in that one, and in no other.
 */
async function sharedService(
  { book, settings }: Desk,
  from: string,
): Promise<{ messagingServiceSid?: string }> {
  const { messagingServiceSid } = settings;
  if (!messagingServiceSid) return {};
  for (const key of await book.keysMentioning('registration', from)) {
    const { ids } = ((await book.find('registration', key))?.facts ?? {}) as {
      ids?: Record<string, string>;
    };
    if (ids?.['service'] && ids['service'] !== 'asked') return {};
  }
  return { messagingServiceSid };
}

async function findLost(
  desk: Desk,
  key: string,
  kept: { facts: Record<string, unknown>; createdAt: Date },
) {
  const { from, to, words } = kept.facts as { from: string; to: string; words: string };
  const sent = await desk.api.client.messages.list({
    to,
    from,
    dateSentAfter: new Date(kept.createdAt.getTime() - 86_400_000),
    limit: 100,
  });
  for (const message of sent) {
    if (
      hash(message.body) !== words ||
      (message.dateCreated && message.dateCreated.getTime() < kept.createdAt.getTime() - 5000)
    )
      continue;
    const known = await desk.book.findRef('text', message.sid);
    if (known && known.key !== key) continue; // another text with the same words
    await desk.book.change('text', key, { ref: message.sid });
    return message;
  }
  return undefined;
}

/** Twilio answers these itself where its opt-out handling is on, and says so. */
const answeredWords: Readonly<Record<string, IncomingText['answered']>> = {
  STOP: 'stop',
  START: 'start',
  HELP: 'help',
};

/** `/sms` and `/sms/status`. */
export function textWebhooks(desk: Desk): CarrierWebhook[] {
  return [
    {
      path: pathOf('sms'),
      answer: async (request, hear) => {
        const f = readSigned(request, desk.settings.authToken);
        if (!f) return { status: 403 };
        const text: IncomingText = {
          id: f['MessageSid'] ?? f['SmsSid'] ?? '',
          from: f['From'] ?? '',
          to: f['To'] ?? '',
          text: f['Body'] ?? '',
          at: desk.now().getTime(),
          answered: answeredWords[f['OptOutType'] ?? ''],
          media: Array.from({ length: Math.min(10, Number(f['NumMedia']) || 0) }, (_, i) => ({
            url: f[`MediaUrl${i}`] ?? '',
            contentType: f[`MediaContentType${i}`] ?? 'application/octet-stream',
            name: `picture-${i + 1}`,
          })).filter((m) => m.url),
        };
        if (text.id && text.from) await hear.texts([text]);
        return { status: 200, type: 'text/xml', body: noReply() };
      },
    },
    {
      path: pathOf('sms/status'),
      answer: async (request, hear) => {
        const f = readSigned(request, desk.settings.authToken);
        if (!f) return { status: 403 };
        const [sid = '', status = ''] = [
          f['MessageSid'] ?? f['SmsSid'],
          f['MessageStatus'] ?? f['SmsStatus'],
        ];
        const key = request.query.get('key');
        if (key && sid) await desk.book.change('text', key, { ref: sid });
        const state = stateOfMessage(status);
        if (!state || !sid) return { status: 204 };
        const code = Number(f['ErrorCode']) || 0;
        const words =
          state === 'failed' || state === 'undelivered'
            ? wordsOfTextError(code, f['ErrorMessage'] ?? null)
            : { code: null, reason: null };
        const really = words.code && stateOfWord(words.code) === 'sent' ? 'sent' : state;
        await hear.receipts([
          {
            id: `${sid}:${state}`,
            providerId: sid,
            key,
            state: really,
            ...words,
            at: desk.now().getTime(),
          },
        ]);
        return { status: 204 };
      },
    },
  ];
}
