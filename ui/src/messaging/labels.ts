import { callOutcomeLabels, type CallOutcome } from '#contract/calls/rules';
import { formatDuration, formatPhoneNumber, formatSpan } from '../format.ts';
import { t } from '../i18n.ts';
import { textFailure } from './text-failure.ts';
import type { Conversation, Item, ItemOf } from './types.ts';

export const ANONYMOUS = 'anonymous';
/** The formatted number (E.164), or "Withheld number". */
export const partyName = (recipient: string): string =>
  recipient === ANONYMOUS ? t('Withheld number') : formatPhoneNumber(recipient);
/** The other party's name: the contact's, or the number. */
export const conversationName = (c: {
  contact: { name: string } | null;
  recipient: string;
}): string => c.contact?.name.trim() || partyName(c.recipient);
/** The label of a company number, or the formatted number. */
export const numberLabel = (number: Conversation['number']): string =>
  number.label || formatPhoneNumber(number.number);

const attachmentLabel = (types: readonly { type: string }[]): string => {
  const first = types[0]?.type ?? '';
  if (types.length > 1)
    return t('{n, plural, one {# attachment} other {# attachments}}', { n: types.length });
  if (first.startsWith('image/')) return t('Picture');
  if (first.startsWith('audio/')) return t('Audio');
  if (first.startsWith('video/')) return t('Video');
  return first.includes('vcard') ? t('Contact card') : t('File');
};

/** A call by its `status` and `outcome` (A5.1). Unanswered outgoing calls aren't "missed". */
export function callLabel(
  isInbound: boolean,
  details: { status: number; outcome: number },
): string {
  if (details.outcome === 0) return isInbound ? t('Incoming call') : t('Outgoing call');
  if (details.outcome === 1) return isInbound ? t('Incoming call') : t('Outgoing call');
  if (details.outcome === 3) return t('Call sent to voicemail');
  if (details.outcome === 4) return t('Blocked call');
  if (!isInbound) return details.status === 7 ? t('Call declined') : t('Call not answered');
  if (details.status === 3) return t('Missed call · hung up in menu');
  if (details.status === 7) return t('Declined call');
  return t('Missed call');
}
/** The name of a call's outcome; a call without one is in progress. */
export const outcomeLabel = (outcome: number): string =>
  t(callOutcomeLabels[outcome as CallOutcome] ?? 'In progress');

/** Whether the latest item is an outgoing message that wasn't delivered. */
export const isUndelivered = (latest: Conversation['latestItem']): boolean =>
  latest?.type === 'message' &&
  !latest.isInbound &&
  ['failed', 'undelivered'].includes(String(latest.details['deliveryState']));
/** One line about the latest item, for the list. */
export function snippetOf(latest: Conversation['latestItem']): string {
  if (!latest) return t('No messages yet');
  const d = latest.details as Partial<
    ItemOf<'message'>['details'] &
      ItemOf<'call'>['details'] &
      ItemOf<'voicemail'>['details'] &
      ItemOf<'fax'>['details'] &
      ItemOf<'trackingmatch'>['details']
  > & { body?: string; form?: string; action?: number; content?: string };
  switch (latest.type) {
    case 'message':
      return `${latest.isInbound ? '' : `${d.deliveryState === 'failed' ? t('Not sent') : d.deliveryState === 'undelivered' ? t('Undelivered') : d.automatic ? t('Auto-reply') : t('You')}: `}${d.content || attachmentLabel(d.media ?? [])}`;
    case 'call':
      return `${callLabel(latest.isInbound, { status: d.status ?? 1, outcome: d.outcome ?? 0 })}${d.duration ? `, ${formatSpan(d.duration)}` : ''}`;
    case 'voicemail':
      return d.transcription
        ? t('Voicemail: {text}', { text: d.transcription })
        : t('Voicemail, {duration}', { duration: formatDuration(d.duration ?? 0) });
    case 'fax':
      return d.pages
        ? t('Fax, {pages, plural, one {# page} other {# pages}}', { pages: d.pages })
        : t('Fax');
    case 'note':
      return t('Note: {text}', { text: d.body ?? '' });
    case 'block':
      return d.action === 0 ? t('Unblocked') : t('Blocked');
    case 'scheduledmessage':
      return t('Scheduled: {text}', { text: d.content ?? '' });
    case 'form':
      return t('Form: {name}', { name: d.form || t('Website') });
    case 'trackingmatch':
      return t('Source: {source}', { source: d.source ?? '' });
  }
}

/**
 * The delivery state of a message. `problem`: why it failed, or null; `carrierWords`: what the
 * carrier said where `problem` says it in our words.
 */
export function deliveryLabel(d: ItemOf<'message'>['details']): {
  label: string;
  problem: string | null;
  carrierWords?: string | null;
} {
  const failure = textFailure(d.errorCode, d.errorText);
  const why = failure?.sentence;
  switch (d.deliveryState) {
    case 'queued':
      return { label: t('Waiting to send'), problem: null };
    case 'sending':
      return { label: t('Sending'), problem: null };
    case 'sent':
      return { label: t('Sent'), problem: null };
    case 'delivered':
      return { label: t('Delivered'), problem: null };
    case 'undelivered':
      return {
        label: t('Undelivered'),
        problem: why ?? t('The carrier couldn’t deliver this message.'),
        carrierWords: failure?.carrierWords ?? null,
      };
    case 'failed':
      return {
        label: t('Not sent'),
        problem: why ?? t('The carrier rejected this message.'),
        carrierWords: failure?.carrierWords ?? null,
      };
    case 'unknown':
      return {
        label: t('Unconfirmed'),
        problem: t('The carrier didn’t confirm delivery. It won’t be resent automatically.'),
      };
    case 'canceled':
      return { label: t('Canceled'), problem: null };
    case 'scheduled':
      return { label: t('Scheduled'), problem: null };
    case 'received':
      return { label: '', problem: null };
  }
}

/** An item's name for screen readers. */
export function itemAriaLabel(item: Item, name: string): string {
  const who = item.isInbound ? name : (item.actor?.name ?? t('You'));
  return t('{who}, {what}', {
    who,
    what: snippetOf({
      id: item.id,
      isInbound: true,
      createdAt: item.createdAt,
      type: item.kind,
      details: item.details as Record<string, unknown>,
    }),
  });
}

type Matched = Pick<ItemOf<'call'>['details'], 'source' | 'campaign' | 'keyword' | 'landingUrl'>;

/** Where a call or text came from, one text a fact: source, campaign, keyword, page. */
export const matchedTexts = (d: Matched): string[] => {
  const keyword = d.keyword && t('“{keyword}”', { keyword: d.keyword });
  const texts = [d.source, d.campaign, keyword, pagePath(d.landingUrl)];
  return texts.filter((text) => typeof text === 'string');
};

/** The path of a page; null: none, or the first page of the website. */
const pagePath = (url: string | null): string | null => {
  const path = url !== null && URL.canParse(url) ? new URL(url).pathname : '/';
  return path === '/' ? null : path;
};
