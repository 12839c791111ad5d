import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, flag, id, one } from '../../schemas.ts';
import { at, itemExample, itemParams } from '../examples.ts';
import { messageLimit } from '../rules.ts';
import { item, type Item, itemId } from '../schemas.ts';

const sentExample: Item = {
  ...itemExample,
  id: 7002,
  kind: 'message',
  isInbound: false,
  readAt: at,
  actor: { userId: 5, name: 'Una User' },
  details: {
    content: 'Noon is fine.',
    deliveryState: 'queued',
    errorCode: null,
    errorText: null,
    media: [],
    segments: 1,
    encoding: 'GSM-7',
    type: 'message',
    clientKey: 'c-81',
    automatic: null,
  },
};

const scheduledExample: Item = {
  ...itemExample,
  id: 7003,
  kind: 'scheduledmessage',
  isInbound: false,
  readAt: at,
  actor: { userId: 5, name: 'Una User' },
  details: {
    content: 'See you tomorrow.',
    media: [],
    segments: 1,
    encoding: 'GSM-7',
    sendAt: '2026-11-22T15:00:00.000Z',
    state: 'pending',
    cancelIfReply: true,
    because: null,
    clientKey: null,
  },
};

const text = z.string().max(messageLimit, `Max ${messageLimit} characters per message`);

/**
 * Files are multipart fields `media[]`: jpeg, png, gif, webp, mp3, wav, mp4, pdf, vcf, plain text.
 * Either into an existing conversation, or from one of our numbers (`numberId`) to a number (`to`).
 */
const sending = {
  message: text.default(''),
  conversationId: id.optional(),
  numberId: id.optional(),
  to: z.string().trim().max(40).optional().meta({
    description: 'A number, or `contact:ID`, `conversation:ID` or `call:ID` of the person',
  }),
  media: z.array(z.unknown()).max(0, 'Send files as multipart media[].').optional(),
  clientKey: z.string().max(60).optional(),
  ...companyIn,
};

const sendErrors = [
  'company.inactive',
  'company.suspended',
  'contact.unsubscribed',
  'contact.blocked',
  'contact.anonymous',
  'contact.short_code',
  'contact.sender_name',
  'number.not_verified',
  'number.no_sms',
  'number.gone',
  'message.empty',
  'message.media_too_large',
  'message.media_too_many',
  'message.media_unknown',
  'message.no_recipient',
  'message.too_soon',
  'message.too_late',
] as const;

export const sendMessage = operation({
  summary:
    'Send a text, pictures or both. The response is the queued item; status changes arrive as conversation-updated',
  status: 201,
  errors: sendErrors,
  body: z.object({
    ...sending,
    shouldBeSentAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .meta({ description: 'When set: same as POST /inbox/message/schedule' }),
  }),
  answer: one(item),
  example: {
    body: { companyId: 1, conversationId: 9001, message: 'Noon is fine.', clientKey: 'c-81' },
    answer: { data: sentExample },
  },
});

export const scheduleMessage = operation({
  summary:
    'Schedule a message for one minute to one year from now. A reply cancels it when cancelIfReply is set',
  status: 201,
  errors: sendErrors,
  body: z.object({
    ...sending,
    shouldBeSentAt: z.iso.datetime({ offset: true, message: 'Choose a time.' }),
    cancelIfReply: flag.default(false),
  }),
  answer: one(item),
  example: {
    body: {
      companyId: 1,
      conversationId: 9001,
      message: 'See you tomorrow.',
      shouldBeSentAt: '2026-11-22T15:00:00.000Z',
      cancelIfReply: true,
    },
    answer: { data: scheduledExample },
  },
});

export const changeScheduled = operation({
  summary: 'Update or cancel a scheduled message before it’s sent',
  errors: ['message.not_scheduled', 'message.too_soon', 'message.too_late', 'message.empty'],
  params: itemId,
  body: z.object({
    message: text.optional(),
    shouldBeSentAt: z.iso.datetime({ offset: true }).optional(),
    cancelIfReply: flag.optional(),
    state: z.literal('canceled').optional(),
    ...companyIn,
  }),
  answer: one(item),
  example: {
    params: { ...itemParams, itemId: 7003 },
    body: { state: 'canceled' },
    answer: { data: scheduledExample },
  },
});

export const converse = operation({
  summary: 'Text the other party of a call, from the number the call was on',
  object: { table: 'call', param: 'id' },
  status: 201,
  errors: sendErrors,
  params: z.object({ id }),
  body: z.object({
    message: text.min(1, 'Enter a message.'),
    clientKey: z.string().max(60).optional(),
    ...companyIn,
  }),
  answer: one(item),
  example: {
    params: { id: 48213377024 },
    body: { message: 'Sorry we missed you. How can we help?' },
    answer: { data: sentExample },
  },
});
