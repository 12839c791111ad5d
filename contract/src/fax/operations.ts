import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, id, one } from '../schemas.ts';
import { fax, type Fax } from './schemas.ts';

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

const errors = [
  'fax.not_set_up',
  'fax.number',
  'fax.no_document',
  'fax.document_kind',
  'fax.document_size',
  'fax.documents_many',
  'fax.no_recipient',
  'contact.blocked',
  'contact.anonymous',
  'contact.short_code',
  'contact.sender_name',
  'number.gone',
  'calling.emergency',
] as const;

const line = (most: number) => z.string().trim().max(most).default('');

export const sendFax = operation({
  summary:
    'Send fax documents (PDF, TIFF, PNG, JPEG, GIF, WebP as multipart files[], in order) from a fax number. The response is the queued fax; status changes arrive as conversation-updated',
  status: 201,
  errors,
  body: z.object({
    numberId: id.optional(),
    to: z.string().trim().max(40).optional().meta({
      description: 'A number, or `contact:ID`, `conversation:ID` or `call:ID` of the person',
    }),
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

export const getFax = operation({
  summary: 'Get one fax with signed links to its page pictures and PDF',
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

export const retryFax = operation({
  summary: 'Resend a fax that failed',
  object: ofFax,
  errors: ['fax.not_failed', ...errors],
  params: z.object({ id }),
  body: z.object({ ...companyIn }),
  answer: one(fax),
  example: { params: { id: 48213380001 }, body: {}, answer: { data: { ...example, attempts: 2 } } },
});
