/** Faxes out and in. Module: conversations. A fax is also an item of its conversation (`kind: 'fax'`); this is the whole of it. */
import { z } from 'zod';
import { companyIn, endpoint, event, id, instant, one } from './kit.ts';

/**
 * Out: queued → sending → sent (the carrier is done but nobody confirmed) → delivered or failed; `unknown`: the carrier never
 * said what became of it, and nobody sends it again by himself. In: receiving (the pages are being fetched) → received or failed.
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

/** Pages of one fax, bytes and number of its files. A carrier’s own limits are higher. */
export const faxLimits = { pages: 100, bytes: 15_000_000, files: 10 } as const;
/** Why a document cannot be faxed, or a fax did not arrive: our word and its sentence. */
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

const state = z.enum(faxStates);
/** `url` is signed and lives 15 minutes. `width` and `height` have the page’s true proportions (a fax’s dots are not square). */
export const faxPage = z.object({
  n: z.number(),
  url: z.string(),
  width: z.number(),
  height: z.number(),
});
export const fax = z.object({
  id,
  company_id: id,
  conversationId: id.nullable(),
  itemId: id.nullable(),
  isInbound: z.boolean(),
  number: z.object({ id, number: z.string(), label: z.string() }),
  party: z.string().meta({ description: 'E.164 number of the other party' }),
  state,
  name: z.string(),
  pages: z.number().meta({ description: '0 while the pages are being rendered' }),
  images: z.array(faxPage),
  url: z.string().nullable().meta({ description: 'Signed link to the document as a PDF' }),
  tiff: z.string().nullable().meta({ description: 'The pages as transmitted (TIFF, group 4)' }),
  cover: z
    .object({ to: z.string(), from: z.string(), subject: z.string(), note: z.string() })
    .nullable(),
  errorCode: z.string().nullable(),
  errorText: z.string().nullable(),
  attempts: z.number(),
  mayRetry: z.boolean(),
  actor: z.object({ userId: id, name: z.string() }).nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
});
export type Fax = z.infer<typeof fax>;

const at = '2026-11-21T09:15:04.000Z';
const example: Fax = {
  id: 48213380001,
  company_id: 1,
  conversationId: 9001,
  itemId: 7010,
  isInbound: false,
  number: { id: 12, number: '+14155552368', label: 'Fax line' },
  party: '+12125550147',
  state: 'queued',
  name: 'Intake form.pdf',
  pages: 0,
  images: [],
  url: null,
  tiff: null,
  cover: { to: 'Dana Reed', from: 'Harbor Dental', subject: 'Intake form', note: '' },
  errorCode: null,
  errorText: null,
  attempts: 1,
  mayRetry: false,
  actor: { userId: 5, name: 'Una User' },
  createdAt: at,
  endedAt: null,
};
const ofFax = { table: 'fax', param: 'id' };
const refusals = [
  'fax.not_set_up',
  'fax.number',
  'fax.no_document',
  'fax.document_kind',
  'fax.document_size',
  'fax.documents_many',
  'fax.no_recipient',
  'contact.blocked',
  'contact.anonymous',
  'number.gone',
  'calling.emergency',
] as const;
const line = (most: number) => z.string().trim().max(most).default('');

export const sendFax = endpoint({
  name: 'sendFax',
  method: 'POST',
  path: '/fax',
  summary:
    'Send fax documents (PDF, TIFF, PNG, JPEG, GIF, WebP as multipart files[], in order) from a fax number. The response is the queued fax; status changes arrive as conversation-updated',
  permission: 'inbox.send',
  company: 'given',
  multipart: true,
  status: 201,
  refusals,
  body: z.object({
    numberId: id.optional(),
    to: z.string().trim().max(40).optional(),
    conversationId: id.optional().meta({ description: 'Instead of numberId and to' }),
    files: z.array(z.unknown()).max(0, 'Send documents as multipart files[].').optional(),
    cover: z
      .object({ to: line(80), from: line(80), subject: line(120), note: line(1000) })
      .nullable()
      .optional()
      .meta({ description: 'Add a cover page before the documents' }),
    ...companyIn,
  }),
  answer: one(fax),
  example: {
    body: {
      companyId: 1,
      numberId: 12,
      to: '+12125550147',
      cover: { to: 'Dana Reed', from: 'Harbor Dental', subject: 'Intake form', note: '' },
    },
    answer: { data: example },
  },
});
export const getFax = endpoint({
  name: 'getFax',
  method: 'GET',
  path: '/fax/{id}',
  summary: 'Get one fax with signed links to its page pictures and PDF',
  permission: 'inbox.view',
  company: 'object',
  object: ofFax,
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: one(fax),
  example: {
    params: { id: 48213380001 },
    answer: {
      data: {
        ...example,
        state: 'delivered',
        pages: 1,
        images: [
          { n: 1, url: '/api/files/7?company=1&expires=1&signature=x', width: 1728, height: 2236 },
        ],
      },
    },
  },
});
export const retryFax = endpoint({
  name: 'retryFax',
  method: 'POST',
  path: '/fax/{id}/retry',
  summary: 'Resend a fax that failed',
  permission: 'inbox.send',
  company: 'object',
  object: ofFax,
  refusals: ['fax.not_failed', ...refusals],
  params: z.object({ id }),
  body: z.object({ ...companyIn }),
  answer: one(fax),
  example: { params: { id: 48213380001 }, body: {}, answer: { data: { ...example, attempts: 2 } } },
});

// ---- said aloud ----------------------------------------------------------------------------------------------------

const ofAFax = {
  faxId: id,
  numberId: id,
  party: z.string(),
  conversationId: id.nullable(),
  pages: z.number(),
};
/** A fax arrived and its pages can be read. Said once. */
export const faxReceived = event({
  name: 'fax.received',
  channel: 'companies',
  about: ['numberId'],
  touches: ['getFax'],
  data: z.object({ ...ofAFax, fileId: id, contactName: z.string().nullable(), quiet: z.boolean() }),
});
/** What became of a fax of ours, each time it moved on. */
export const faxStatusChanged = event({
  name: 'fax.moved',
  channel: 'companies',
  about: ['numberId'],
  touches: ['getFax'],
  data: z.object({ ...ofAFax, state, errorCode: z.string().nullable() }),
});
