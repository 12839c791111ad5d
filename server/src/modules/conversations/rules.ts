import { messageLimit, scheduleLimits, type DeliveryState } from '#contract/conversations/rules';
import {
  isMediaOperator,
  phoneDigits,
  searchDay,
  searchState,
  searchWord,
  type SearchState,
} from '#contract/conversations/search-words';
import type { KeywordLanguage } from '../compliance/index.ts';

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
/** Null when a text may be kept for later: at least a minute from now, at most a year (A10). */
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

/** The confirmations a keyword is answered with, once; a French one in French and English. */
export function keywordConfirmation(
  word: 'stop' | 'start' | 'help',
  company: { name: string; phone: string | null; email: string | null },
  language: KeywordLanguage = 'en',
): string {
  const contact = [company.phone, company.email].filter(Boolean).join(' or ');
  const text = {
    stop: `${company.name}: You will receive no more texts from us. Reply START to receive them again.`,
    start: `${company.name}: You will receive our texts again. Reply HELP for help, STOP to stop.`,
    help: `${company.name}: ${contact ? `For help, contact ${contact}.` : 'Reply here and we will help.'} Reply STOP to stop.`,
  }[word];
  const french = language === 'fr' ? `${frenchConfirmation(word, company)} ` : '';
  return `${french}${text}`.slice(0, messageLimit);
}
function frenchConfirmation(
  word: 'stop' | 'start' | 'help',
  company: { name: string; phone: string | null; email: string | null },
): string {
  const contact = [company.phone, company.email].filter(Boolean).join(' ou ');
  return {
    stop: `${company.name} : Vous ne recevrez plus de textos de notre part. Répondez START pour en recevoir à nouveau.`,
    start: `${company.name} : Vous recevrez de nouveau nos textos. Répondez AIDE pour de l’aide, ARRET pour arrêter.`,
    help: `${company.name} : ${contact ? `Pour de l’aide : ${contact}.` : 'Répondez ici et nous vous aiderons.'} Répondez ARRET pour arrêter.`,
  }[word];
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
  /** Part of a source, campaign, keyword or page that the other party came from. */
  source: string | null;
}
/**
 * Parses the search box. A text that looks like a phone number loses its spaces, dashes and
 * brackets (A §5); `from:` `to:` `label:` `has:media` `before:` `after:` `assigned:` `is:` `source:` are
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
    source: null,
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
        case 'source':
          if (!value) return whole;
          found[key.toLowerCase() as 'label' | 'assigned' | 'source'] = value.toLowerCase();
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
/** Reads a list cursor: the last row's time and ID. Null: not a cursor of ours. */
export function readCursor(text: string | undefined): { at: Date; id: number } | null {
  const match = text
    ? /^(\d{1,14})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString())
    : null;
  return match ? { at: new Date(Number(match[1])), id: Number(match[2]) } : null;
}
