import type { ErrorTexts } from '../error-texts.ts';

export const errors = {
  'fax.not_set_up': {
    status: 409,
    text: 'This server can’t fax yet. Ask its operator to set FAX_CARRIER.',
  },
  'fax.number': { status: 422, text: 'This number can’t fax. Choose a fax number.' },
  'fax.no_document': { status: 422, text: 'Attach a document to fax.' },
  'fax.document_kind': {
    status: 422,
    text: '{name} can’t be faxed. Choose a PDF, TIFF or picture.',
  },
  'fax.document_size': {
    status: 422,
    text: 'These documents are too large to fax. The limit is 15 MB.',
  },
  'fax.documents_many': { status: 422, text: 'A fax can have at most {limit} documents.' },
  'fax.no_recipient': {
    status: 422,
    text: 'Choose a conversation, or choose one of your numbers and enter a recipient to fax.',
  },
  'fax.not_failed': { status: 409, text: 'You can only resend a fax that failed.' },
} as const satisfies ErrorTexts;
