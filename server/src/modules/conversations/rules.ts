import {
  deliveryStates,
  messageLimit,
  scheduleLimits,
  type DeliveryState,
} from '#contract/conversations/rules';
import {
  isMediaOperator,
  phoneDigits,
  searchDay,
  searchState,
  searchWord,
  type SearchState,
} from '#contract/conversations/search-words';
import { SegmentedMessage } from 'sms-segments-calculator';

const stateRank: Record<DeliveryState, number> = {
  scheduled: 0,
  queued: 0,
  sending: 1,
  unknown: 1,
  sent: 2,
  delivered: 3,
  undelivered: 3,
  failed: 3,
  received: 3,
  canceled: 3,
};
/**
 * Whether a text may move from one state to another. Receipts arrive late, twice and out of order:
 * only forward, and never out of a final state.
 */
export function canTransition(from: DeliveryState, to: DeliveryState): boolean {
  return (
    stateRank[to] > stateRank[from] || (from === 'sending' && (to === 'unknown' || to === 'queued'))
  );
}
export const stateOf = (text: string | null): DeliveryState =>
  deliveryStates.find((s) => s === text) ?? 'unknown';

/** The characters of GSM-7's basic set that ASCII has too. */
const gsm7Ascii = /^[@$\n\r !"#%&'()*+,\-./0-9:;<=>?A-Za-z_]*$/;
/**
 * How a carrier segments and encodes a text: GSM-7 160 characters, 153 per segment of several;
 * UCS-2 70 and 67.
 */
export function segmentsOf(text: string): { segments: number; encoding: 'GSM-7' | 'UCS-2' } {
  if (!text) return { segments: 0, encoding: 'GSM-7' };
  // Almost every text is plain ASCII, which this recognizes in a hundredth of the time that
  // segmenting takes.
  if (text.length <= 160 && gsm7Ascii.test(text)) return { segments: 1, encoding: 'GSM-7' };
  const segmented = new SegmentedMessage(text);
  return {
    segments: segmented.segmentsCount,
    encoding: segmented.encodingName === 'GSM-7' ? 'GSM-7' : 'UCS-2',
  };
}

/**
 * Null when a text may be scheduled for this time: at least a minute from now, at most a year
 * (A10). Otherwise the error text.
 */
export function scheduleProblem(
  at: Date,
  now: Date,
): 'message.too_soon' | 'message.too_late' | null {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (!(seconds >= scheduleLimits.soonest)) return 'message.too_soon';
  return seconds > scheduleLimits.latest ? 'message.too_late' : null;
}

/** Retry delays grow from 2 seconds to 5 minutes; after an hour of carrier outage a text fails. */
export const waitSeconds = (tries: number) => Math.min(300, 2 ** Math.min(tries, 12));
export const giveUpAfterMs = 3_600_000;

/**
 * The sentence shown to the sender for each of our error codes when the carrier's adapter has none
 * of its own.
 */
const errorSentences: Record<string, string> = {
  opted_out: 'This contact opted out and cannot be texted.',
  landline: 'This number is a landline and can’t receive texts.',
  blocked: 'The carrier blocked this text.',
  unreachable: 'The phone can’t be reached.',
  no_number: 'This number isn’t in service.',
  rejected: 'The carrier rejected this text.',
  carrier_away: 'The carrier didn’t respond for an hour. Try again.',
  unknown: 'The carrier never responded, so this may or may not have been sent.',
};
/**
 * These reasons are for the log: failures between us and the carrier, or between our own processes.
 */
const internalCodes = new Set(['unknown', 'carrier_away']);
/**
 * The sentence for a failed text: the carrier adapter's own, or ours for the code. Null if it did
 * not fail.
 */
export const errorText = (code: string | null, reason: string | null): string | null => {
  if (!code) return null;
  return (
    (internalCodes.has(code) ? null : reason) ??
    errorSentences[code] ??
    'The text couldn’t be delivered.'
  );
};

/** The confirmation that each reserved keyword is answered with, once. */
export function keywordConfirmation(
  word: 'stop' | 'start' | 'help',
  company: { name: string; phone: string | null; email: string | null },
): string {
  const contact = [company.phone, company.email].filter(Boolean).join(' or ');
  const text = {
    stop: `${company.name}: You will receive no more texts from us. Reply START to receive them again.`,
    start: `${company.name}: You will receive our texts again. Reply HELP for help, STOP to stop.`,
    help: `${company.name}: ${contact ? `For help, contact ${contact}.` : 'Reply here and we will help.'} Reply STOP to stop.`,
  }[word];
  return text.slice(0, messageLimit);
}

export interface InboxSearch {
  words: string | null;
  digits: string | null;
  from: string | null;
  to: string | null;
  hasMedia: boolean;
  before: Date | null;
  after: Date | null;
  /** Part of a contact's label, or of our number's. */
  label: string | null;
  /** me, none, or part of a user's name. */
  assigned: string | null;
  is: SearchState | null;
}
/**
 * Parses the search box. A text that looks like a phone number loses its spaces, dashes and
 * brackets (A §5); `from:` `to:` `label:` `has:media` `before:` `after:` `assigned:` `is:` are
 * extracted first. A word with a colon that is no operator stays a word. Words are matched as a
 * phrase anyway, so quotes around all of them are removed.
 */
export function parseSearch(typed: string): InboxSearch {
  const found: InboxSearch = {
    words: null,
    digits: null,
    from: null,
    to: null,
    hasMedia: false,
    before: null,
    after: null,
    label: null,
    assigned: null,
    is: null,
  };
  const rest = typed
    .replace(searchWord, (whole: string, key: string, raw: string) => {
      const value = raw.replace(/^"|"$/g, '');
      switch (key.toLowerCase()) {
        case 'from':
        case 'to': {
          const digits = phoneDigits(value);
          if (!digits) return whole;
          found[key.toLowerCase() as 'from' | 'to'] = digits;
          return ' ';
        }
        case 'has':
          if (!isMediaOperator(value)) return whole;
          found.hasMedia = true;
          return ' ';
        case 'label':
        case 'assigned':
          if (!value) return whole;
          found[key.toLowerCase() as 'label' | 'assigned'] = value.toLowerCase();
          return ' ';
        case 'is':
          found.is = searchState(value);
          return found.is ? ' ' : whole;
        default: {
          const day = searchDay(value);
          if (!day) return whole;
          found[key.toLowerCase() as 'before' | 'after'] = day;
          return ' ';
        }
      }
    })
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["“”](.*?)["“”]?$/, '$1')
    .trim();
  if (!rest) return found;
  const digits = phoneDigits(rest);
  return digits ? { ...found, digits } : { ...found, words: rest };
}
/** A position in a list by time and ID, newest first. */
export const writeCursor = (at: Date, id: number) =>
  Buffer.from(`${at.getTime()}.${id}`).toString('base64url');
export function readCursor(text: string | undefined): { at: Date; id: number } | null {
  const match = text
    ? /^(\d{1,14})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString())
    : null;
  return match ? { at: new Date(Number(match[1])), id: Number(match[2]) } : null;
}
