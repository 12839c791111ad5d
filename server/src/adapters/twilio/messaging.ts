import { createHash } from 'node:crypto';
import type { CarrierWebhook } from '../../gateways/carrier.ts';
import type {
  IncomingText,
  MessagingCarrier,
  OutgoingText,
  SendResult,
} from '../../gateways/messaging.ts';
import { classifyError } from './api.ts';
import { deliveryStateOf } from '../shared/text-errors.ts';
import { deliveryState, isTransientTextError, describeTextError } from './codes.ts';
import { webhookPath, type TwilioClient } from './client.ts';
import { readSignedForm } from './signature.ts';
import { emptyMessagingResponse } from './twiml.ts';

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Twilio's texts. It has no idempotency key, so each text is stored before it is sent. When the
 * response is lost, the text is looked up among Twilio's messages by both numbers, body and time,
 * and never sent again.
 */
export function twilioMessaging(client: TwilioClient): MessagingCarrier {
  return {
    name: 'twilio',
    isIdempotent: false,
    send: (text) => sendText(client, text),
    async findByKey(key) {
      const kept = await client.store.get('text', key);
      if (!kept) return null;
      const found = kept.ref
        ? await client.api.client.messages(kept.ref).fetch()
        : await findUnconfirmed(client, key, kept);
      return found ? { providerId: found.sid, state: deliveryState(found.status) ?? 'sent' } : null;
    },
    async fetchMedia(url) {
      // Our credentials go to Twilio's own hosts only.
      if (!/^https:\/\/(api|media|mms)\.(twilio\.com|twiliocdn\.com|us1\.twilio\.com)\//.test(url))
        return null;
      const { status, type, bytes } = await client.api.get(url);
      if (status === 404) return null;
      if (status >= 300) throw new Error(`Twilio answered ${status} for a picture.`);
      return { bytes, contentType: type };
    },
  };
}

async function sendText(client: TwilioClient, text: OutgoingText): Promise<SendResult> {
  const { store } = client;
  const { thing: object, fresh } = await store.put('text', text.key, {
    facts: { from: text.from, to: text.to, words: hash(text.text) },
  });
  if (!fresh)
    return object.ref
      ? { state: 'accepted', providerId: object.ref }
      : { state: 'unknown', reason: 'The response to an earlier request to Twilio was lost.' };
  try {
    const message = await client.api.client.messages.create({
      to: text.to,
      from: text.from,
      ...(await sharedMessagingService(client, text.from)),
      ...(text.text || !text.media.length ? { body: text.text } : {}),
      ...(text.media.length ? { mediaUrl: text.media.map((m) => m.url) } : {}),
      statusCallback: `${client.publicUrl}${webhookPath('sms/status')}?${new URLSearchParams({ key: text.key })}`,
    });
    await store.change('text', text.key, { ref: message.sid });
    return { state: 'accepted', providerId: message.sid };
  } catch (error) {
    const failure = classifyError(error);
    if (failure.is === 'unknown') return { state: 'unknown', reason: failure.reason };
    // Twilio did not get it: the same key may be tried again.
    await store.drop('text', text.key);
    if (failure.is === 'untouched')
      return { state: 'refused', code: 'carrier_away', reason: failure.reason, permanent: false };
    // Some responses to refused credentials have no Twilio error code.
    const words = describeTextError(
      failure.code || (failure.status === 401 ? 20003 : 0),
      failure.reason,
    );
    return {
      state: 'refused',
      ...words,
      permanent: !isTransientTextError(failure.code) && failure.status !== 401,
    };
  }
}

/**
 * The messaging service of the settings, for numbers that were registered elsewhere. A number whose
 * registration here has its own messaging service is in that one only.
 */
async function sharedMessagingService(
  { store, settings }: TwilioClient,
  from: string,
): Promise<{ messagingServiceSid?: string }> {
  const { messagingServiceSid } = settings;
  if (!messagingServiceSid) return {};
  for (const key of await store.keysMentioning('registration', from)) {
    const { ids } = ((await store.get('registration', key))?.facts ?? {}) as {
      ids?: Record<string, string>;
    };
    if (ids?.['service'] && ids['service'] !== 'asked') return {};
  }
  return { messagingServiceSid };
}

async function findUnconfirmed(
  client: TwilioClient,
  key: string,
  entry: { facts: Record<string, unknown>; createdAt: Date },
) {
  const { from, to, words } = entry.facts as { from: string; to: string; words: string };
  const sent = await client.api.client.messages.list({
    to,
    from,
    dateSentAfter: new Date(entry.createdAt.getTime() - 86_400_000),
    limit: 100,
  });
  for (const message of sent) {
    if (
      hash(message.body) !== words ||
      (message.dateCreated && message.dateCreated.getTime() < entry.createdAt.getTime() - 5000)
    )
      continue;
    const known = await client.store.getByRef('text', message.sid);
    if (known && known.key !== key) continue; // another text with the same words
    await client.store.change('text', key, { ref: message.sid });
    return message;
  }
  return undefined;
}

/** Twilio replies to these when its opt-out handling is on, and reports that. */
const autoReplyKeywords: Readonly<Record<string, IncomingText['answered']>> = {
  STOP: 'stop',
  START: 'start',
  HELP: 'help',
};

/** Received texts (`/sms`) and receipts (`/sms/status`). */
export function messagingWebhooks(client: TwilioClient): CarrierWebhook[] {
  return [
    {
      path: webhookPath('sms'),
      handle: async (request, sink) => {
        const fields = readSignedForm(request, client.settings.authToken);
        if (!fields) return { status: 403 };
        const text: IncomingText = {
          id: fields['MessageSid'] ?? fields['SmsSid'] ?? '',
          from: fields['From'] ?? '',
          to: fields['To'] ?? '',
          text: fields['Body'] ?? '',
          at: client.now().getTime(),
          answered: autoReplyKeywords[fields['OptOutType'] ?? ''],
          media: Array.from({ length: Math.min(10, Number(fields['NumMedia']) || 0) }, (_, i) => ({
            url: fields[`MediaUrl${i}`] ?? '',
            contentType: fields[`MediaContentType${i}`] ?? 'application/octet-stream',
            name: `picture-${i + 1}`,
          })).filter((m) => m.url),
        };
        if (text.id) await sink.onTexts([text]);
        return { status: 200, type: 'text/xml', body: emptyMessagingResponse() };
      },
    },
    {
      path: webhookPath('sms/status'),
      handle: async (request, sink) => {
        const f = readSignedForm(request, client.settings.authToken);
        if (!f) return { status: 403 };
        const [sid = '', status = ''] = [
          f['MessageSid'] ?? f['SmsSid'],
          f['MessageStatus'] ?? f['SmsStatus'],
        ];
        const key = request.query.get('key');
        if (key && sid) await client.store.change('text', key, { ref: sid });
        const state = deliveryState(status);
        if (!state || !sid) return { status: 204 };
        const code = Number(f['ErrorCode']) || 0;
        const words =
          state === 'failed' || state === 'undelivered'
            ? describeTextError(code, f['ErrorMessage'] ?? null)
            : { code: null, reason: null };
        const really = words.code && deliveryStateOf(words.code) === 'sent' ? 'sent' : state;
        await sink.onDeliveryReports([
          {
            id: `${sid}:${state}`,
            providerId: sid,
            key,
            state: really,
            ...words,
            at: client.now().getTime(),
          },
        ]);
        return { status: 204 };
      },
    },
  ];
}
