import { contacts as contract } from '#contract';
import { answering } from '../../platform/answer.ts';
import { getContact } from './get-contact.ts';
import { updateContact } from './update-contact.ts';

export const answers = answering(contract, {
  getContact: (ctx, { params }) => getContact(ctx, params.contactId),
  updateContact: (ctx, { params, body }) => updateContact(ctx, params.contactId, body),
});
