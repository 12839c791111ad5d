/**
 * Outbound: queued → sending → sent (transmitted, not confirmed) → delivered or failed; `unknown`:
 * the carrier never reported a result, so it is not sent again automatically. Inbound: receiving
 * (the pages are being fetched) → received or failed.
 */
export const faxStates = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'receiving',
  'received',
] as const;

export type FaxState = (typeof faxStates)[number];

/** Limits of one fax: pages, bytes and number of files. A carrier’s own limits are higher. */
export const faxLimits = { pages: 100, bytes: 15_000_000, files: 10 } as const;

/** Why a document can't be faxed, or a fax failed, with its sentence. */
export const faxErrors = {
  kind: 'This file isn’t a PDF, TIFF or picture. Choose a file that can be faxed.',
  encrypted: 'This PDF is password-protected. Save a copy without a password and send that.',
  broken: 'This document is damaged and can’t be read.',
  empty: 'This document has no pages.',
  too_many_pages: 'A fax can have at most 100 pages. Send the document in parts.',
  too_large: 'A page in this document is too large to fax.',
  too_complex:
    'This document takes too much memory or time to process. Save it as a simpler PDF and try again.',
  busy: 'The line was busy.',
  no_answer: 'No answer.',
  not_a_fax: 'A person or voicemail answered, not a fax machine.',
  line_trouble: 'The call dropped before all pages were sent.',
  rejected: 'The carrier rejected this fax.',
  blocked: 'This number is blocked.',
  number_gone: 'This number is no longer yours, so you can’t send from it.',
  not_set_up: 'No fax carrier is set up on this server.',
  carrier_away: 'The carrier didn’t respond for an hour. Try again.',
  unconfirmed:
    'The carrier never confirmed whether this fax arrived. It isn’t resent automatically.',
  not_fetched: 'The pages couldn’t be downloaded from the carrier.',
  canceled: 'This fax was deleted before it was sent.',
} as const;

export type FaxErrorCode = keyof typeof faxErrors;
