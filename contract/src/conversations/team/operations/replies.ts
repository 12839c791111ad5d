import { z } from 'zod';
import { operation } from '../../../operation.ts';
import { companyIn, empty, flag, id, one } from '../../../schemas.ts';
import { cannedReply, type CannedReply } from '../schemas.ts';
import { at } from './shared.ts';

const cannedExample: CannedReply = {
  id: 71,
  shortcut: 'hours',
  title: 'Opening hours',
  body: 'Hi {{first_name|there}}, we are open Monday to Friday, 9 to 5.',
  shared: true,
  owner: { id: 5, name: 'Una User' },
  mine: true,
  can_change: true,
  updated_at: at,
};

/** Merge tags as in campaigns, plus `my_name` and `company`. */
const cannedFields = {
  shortcut: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Enter a shortcut.')
    .max(30, 'At most 30 characters.')
    .regex(/^[\p{L}\p{N}_-]+$/u, 'Use letters, digits, - and _, no spaces.'),
  title: z.string().trim().min(1, 'Enter a name.').max(80, 'At most 80 characters.'),
  body: z.string().trim().min(1, 'Enter the reply.').max(1000, 'At most 1,000 characters.'),
  shared: flag,
};

const ofCanned = { table: 'canned_reply', param: 'id' };

export const listCannedReplies = operation({
  summary: 'List the replies to insert with “/”: shared ones and your own, by shortcut',
  query: z.object({ search: z.string().trim().max(100).optional(), ...companyIn }),
  answer: z.object({ data: z.array(cannedReply) }),
  example: { query: { company_id: 1 }, answer: { data: [cannedExample] } },
});

export const addCannedReply = operation({
  summary: 'Create a reply, for yourself or for everyone',
  status: 201,
  errors: ['canned.exists', 'canned.limit'],
  body: z.object({ ...cannedFields, shared: cannedFields.shared.default(false), ...companyIn }),
  answer: one(cannedReply),
  example: {
    body: {
      company_id: 1,
      shortcut: 'hours',
      title: 'Opening hours',
      body: cannedExample.body,
      shared: true,
    },
    answer: { data: cannedExample },
  },
});

export const updateCannedReply = operation({
  summary:
    'Update a reply: your own, or a shared one you created; administrators can update every shared one',
  object: ofCanned,
  errors: ['canned.exists', 'canned.not_yours'],
  params: z.object({ id }),
  body: z.object(cannedFields).partial().extend(companyIn),
  answer: one(cannedReply),
  example: {
    params: { id: 71 },
    body: { title: 'When we’re open' },
    answer: { data: { ...cannedExample, title: 'When we’re open' } },
  },
});

export const removeCannedReply = operation({
  summary: 'Delete a reply; messages written with it stay',
  object: ofCanned,
  status: 204,
  errors: ['canned.not_yours'],
  params: z.object({ id }),
  answer: empty,
  example: { params: { id: 71 } },
});

const autoText = z.string().trim().max(480, 'At most 480 characters.').nullable();

const automaticTexts = z.object({
  number_id: id,
  after_hours: z.string().nullable().meta({
    description:
      'Replies to the first text of a conversation while the number is closed; null: off',
  }),
  text_back: z
    .string()
    .nullable()
    .meta({ description: 'Sent after a missed call, at most once an hour; null: off' }),
  company: z
    .object({ after_hours: z.string().nullable(), text_back: z.string().nullable() })
    .meta({ description: 'The company’s texts, sent where the number has none; null: off' }),
  open_now: z.boolean(),
  because: z.string(),
});

const automaticExample = {
  number_id: 12,
  after_hours: 'Thanks for your message. We’re closed now and will reply in the morning.',
  text_back: 'Sorry we missed your call. How can we help?',
  company: { after_hours: null, text_back: null },
  open_now: true,
  because: 'Open at Mon 9:15 AM Eastern Time: Mon 9:00 AM–5:00 PM.',
};

const ofNumber = { table: 'number', param: 'id' };

export const getAutomaticTexts = operation({
  summary: 'Get the automatic texts of a number: after hours, and after a missed call',
  object: ofNumber,
  params: z.object({ id }),
  query: z.object({ ...companyIn }),
  answer: one(automaticTexts),
  example: { params: { id: 12 }, answer: { data: automaticExample } },
});

export const setAutomaticTexts = operation({
  summary:
    'Update the automatic texts; null or empty turns one off, fields left out stay unchanged',
  object: ofNumber,
  params: z.object({ id }),
  body: z.object({
    after_hours: autoText.optional(),
    text_back: autoText.optional(),
    ...companyIn,
  }),
  answer: one(automaticTexts),
  example: {
    params: { id: 12 },
    body: { text_back: automaticExample.text_back },
    answer: { data: automaticExample },
  },
});
