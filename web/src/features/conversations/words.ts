import { callOutcomeLabels, type CallOutcome } from '#contract/calls';
import { formatDuration, formatPhoneNumber, formatSpan, t } from '#ui';
import type { Conversation, Item, ItemOf } from './fold.ts';

/** Items and conversations in plain words. */

export const ANONYMOUS = 'anonymous';
export const partyName = (recipient: string): string =>
  recipient === ANONYMOUS ? t('Withheld number') : formatPhoneNumber(recipient);
/** The other side as one calls it: the contact's name, else the number. */
export const nameOf = (c: Pick<Conversation, 'contact' | 'recipient'>): string =>
  c.contact?.name.trim() || partyName(c.recipient);
export const labelOf = (number: Conversation['number']): string =>
  number.label || formatPhoneNumber(number.number);

const attachment = (types: readonly { type: string }[]): string => {
  const first = types[0]?.type ?? '';
  if (types.length > 1) return t('{n} attachments', { n: types.length });
  if (first.startsWith('image/')) return t('Picture');
  if (first.startsWith('audio/')) return t('Sound');
  if (first.startsWith('video/')) return t('Video');
  return first.includes('vcard') ? t('Contact card') : t('File');
};

/** `status` and `outcome` as A5.1 has them. Outgoing calls that nobody answered were not "missed". */
export function callWords(
  isInbound: boolean,
  details: { status: number; outcome: number },
): string {
  if (details.outcome === 0) return isInbound ? t('Incoming call') : t('Outgoing call');
  if (details.outcome === 1) return isInbound ? t('Incoming call') : t('Outgoing call');
  if (details.outcome === 3) return t('Call to voicemail');
  if (details.outcome === 4) return t('Blocked call');
  if (!isInbound) return details.status === 7 ? t('Call declined') : t('Call not answered');
  if (details.status === 3) return t('Missed call, left in the menu');
  if (details.status === 7) return t('Declined call');
  return t('Missed call');
}
export const outcomeWord = (outcome: number): string =>
  t(callOutcomeLabels[outcome as CallOutcome] ?? 'In progress');

/** A message of ours that did not arrive: somebody should look. */
export const isLost = (latest: Conversation['latestItem']): boolean =>
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
  > & { body?: string; action?: number; content?: string };
  switch (latest.type) {
    case 'message':
      return `${latest.isInbound ? '' : `${d.deliveryState === 'failed' ? t('Not sent') : d.deliveryState === 'undelivered' ? t('Not delivered') : d.automatic ? t('Auto-reply') : t('You')}: `}${d.content || attachment(d.media ?? [])}`;
    case 'call':
      return `${callWords(latest.isInbound, { status: d.status ?? 1, outcome: d.outcome ?? 0 })}${d.duration ? `, ${formatSpan(d.duration)}` : ''}`;
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
    case 'trackingmatch':
      return t('Came from {source}', { source: d.source ?? '' });
  }
}

const codes: Record<string, string> = {
  opted_out: 'This person opted out. Once they text START you can write to them again.',
  contact_opted_out: 'This person opted out. Once they text START you can write to them again.',
  landline: 'This number is a landline and cannot receive texts. Call instead.',
  blocked:
    'The carrier blocked this message as unwanted. Say it in other words, without short links.',
  unreachable: 'The phone could not be reached. It may be switched off: try again later, or call.',
  rejected: 'The carrier refused this message. Check the number, then try again.',
  carrier_away: 'The carrier did not answer for an hour, so this was not sent. Send it again.',
};
/** Where a sent message stands, in a word; `trouble` when somebody should look. */
export function deliveryWords(d: ItemOf<'message'>['details']): {
  word: string;
  trouble: string | null;
} {
  // Our own words say what to do; of other codes the carrier's are the best there are.
  const known = d.errorCode ? codes[d.errorCode] : undefined;
  const why = known
    ? t(known)
    : d.errorText || (d.errorCode ? t('The carrier could not deliver this message.') : null);
  switch (d.deliveryState) {
    case 'queued':
      return { word: t('Waiting to send'), trouble: null };
    case 'sending':
      return { word: t('Sending'), trouble: null };
    case 'sent':
      return { word: t('Sent'), trouble: null };
    case 'delivered':
      return { word: t('Delivered'), trouble: null };
    case 'undelivered':
      return {
        word: t('Not delivered'),
        trouble: why ?? t('The carrier could not deliver this message.'),
      };
    case 'failed':
      return { word: t('Not sent'), trouble: why ?? t('The carrier refused this message.') };
    case 'unknown':
      return {
        word: t('Not confirmed'),
        trouble: t('The carrier never said whether this arrived. It is not sent again by itself.'),
      };
    case 'canceled':
      return { word: t('Cancelled'), trouble: null };
    case 'scheduled':
      return { word: t('Scheduled'), trouble: null };
    case 'received':
      return { word: '', trouble: null };
  }
}

/** How a screen reader names an item. */
export function spokenItem(item: Item, name: string): string {
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
