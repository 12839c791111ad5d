import { z } from 'zod';
import { operation } from '../../operation.ts';
import { e164 } from '../../numbers/schemas/number.ts';
import { flag, id, listQuery, one, pageOf } from '../../schemas.ts';
import { supportTicketLimits } from './rules.ts';
import {
  staffConversation,
  staffTicket,
  supportConversation,
  supportTicket,
  systemStatus,
} from './schemas.ts';

const ticket = {
  id: 77,
  reference: 'S-7K3M-9QPD',
  status: 'open' as const,
  message: 'Calls to our main line ring only once.',
  callback_number: '+12125550147',
  callback_requested: true,
  attachments: [],
  created_at: '2026-11-21T09:15:04.000Z',
  changed_at: '2026-11-21T09:15:04.000Z',
};
const answered = {
  ...ticket,
  status: 'answered' as const,
  replies: [
    {
      id: 78,
      by_staff: true,
      message: 'Raise “Ring for” under Routes to 25 seconds.',
      created_at: '2026-11-21T10:02:00.000Z',
    },
  ],
};
const ofStaff = {
  page_url: null,
  company: { id: 1, name: 'Harbor Dental' },
  user: { id: 1, name: 'Olive Owner', email: 'owner@demo.test' },
  assignee: null,
};
const answeredOfStaff = {
  ...answered,
  ...ofStaff,
  replies: answered.replies.map((reply) => ({ ...reply, author: 'Sam Staff' })),
};
const message = z.string().trim().min(1, 'Write a reply.').max(supportTicketLimits.message);

export const createSupportTicket = operation({
  summary:
    'Ask support for help, with up to 5 files of 10 MB in `attachments[]`. The sender is mailed the reference',
  params: z.object({ companyId: id }),
  body: z.object({
    message: z
      .string()
      .trim()
      .min(1, 'Describe what you need help with.')
      .max(supportTicketLimits.message),
    callback_number: e164.optional(),
    callback_requested: flag.optional(),
    page_url: z.string().max(2000).optional(),
  }),
  answer: one(supportTicket),
  status: 201,
  errors: ['support.files_many', 'support.file_large'],
  example: {
    params: { companyId: 1 },
    body: { message: 'Calls to our main line ring only once.', callback_requested: false },
    answer: { data: ticket },
  },
});

export const listSupportTickets = operation({
  summary: 'List the caller’s own support tickets in the company, newest first',
  params: z.object({ companyId: id }),
  paged: true,
  query: listQuery({}, { perPage: 25 }),
  answer: pageOf(supportTicket),
  example: { params: { companyId: 1 }, answer: { data: [ticket] } },
});

const ofTicket = z.object({ companyId: id, ticketId: id });

export const getSupportTicket = operation({
  summary: 'Get one of the caller’s own support tickets with its replies',
  params: ofTicket,
  answer: one(supportConversation),
  example: { params: { companyId: 1, ticketId: 77 }, answer: { data: answered } },
});

export const replyToSupport = operation({
  summary: 'Reply to support in a ticket of one’s own. A closed one is opened again',
  params: ofTicket,
  body: z.object({ message }),
  answer: one(supportConversation),
  example: {
    params: { companyId: 1, ticketId: 77 },
    body: { message: 'That did it, thank you.' },
    answer: { data: { ...answered, status: 'open' } },
  },
});

export const closeSupportTicket = operation({
  summary: 'Close a ticket of one’s own',
  params: ofTicket,
  answer: one(supportConversation),
  example: {
    params: { companyId: 1, ticketId: 77 },
    answer: { data: { ...answered, status: 'closed' } },
  },
});

export const getStaffTicket = operation({
  summary: 'Get a support ticket of any company with its replies; for platform staff',
  params: z.object({ id }),
  answer: one(staffConversation),
  example: { params: { id: 77 }, answer: { data: answeredOfStaff } },
});

export const replyAsSupport = operation({
  summary: 'Answer a support ticket; the sender is emailed. For platform staff',
  params: z.object({ id }),
  body: z.object({ message, close: flag.optional() }),
  answer: one(staffConversation),
  example: {
    params: { id: 77 },
    body: { message: 'Raise “Ring for” under Routes to 25 seconds.' },
    answer: { data: answeredOfStaff },
  },
});

export const updateStaffTicket = operation({
  summary: 'Take or give back a support ticket, close it or open it again; for platform staff',
  params: z.object({ id }),
  body: z.object({
    status: z.enum(['open', 'closed']).optional(),
    mine: flag.optional().meta({ description: 'Whether the caller looks after it' }),
  }),
  answer: one(staffConversation),
  example: {
    params: { id: 77 },
    body: { mine: true },
    answer: { data: { ...answeredOfStaff, assignee: { id: 9, name: 'Sam Staff' } } },
  },
});

export const listAllSupportTickets = operation({
  summary: 'List support tickets of every company, newest first; for platform staff',
  paged: true,
  query: listQuery(
    {
      search: z.string().max(100).optional(),
      status: z.enum(['open', 'answered', 'closed']).optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(staffTicket),
  example: {
    answer: {
      data: [
        {
          ...ticket,
          ...ofStaff,
        },
      ],
    },
  },
});

export const findCompaniesByPin = operation({
  summary: 'Find the company whose support PIN a caller names; for platform staff',
  limit: 'codes',
  query: z.object({ pin: z.string().regex(/^\d{6}$/, 'Enter the six digits.') }),
  answer: z.object({ data: z.array(z.object({ id, name: z.string(), slug: z.string() })) }),
  example: {
    query: { pin: '482913' },
    answer: { data: [{ id: 1, name: 'Harbor Dental', slug: 'harbor-dental' }] },
  },
});

export const getSystemStatus = operation({
  summary: 'Get how this installation is doing; for platform staff',
  answer: one(systemStatus),
  example: {
    answer: {
      data: {
        node: 'v20.20.0',
        at: '2026-11-21T09:15:04.000Z',
        jobs: [
          {
            job: 'mail.send',
            waiting: 1,
            running: 0,
            failed: 0,
            oldest_due_at: '2026-11-21T09:15:03.000Z',
            last_error: null,
          },
        ],
        events: { unpublished: 0 },
        mail: { status: 'ok', waiting: 1, failed: 0 },
        third_parties: [{ kind: 'carrier', name: 'sandbox', status: 'ok' }],
        storage: {
          kind: 'disk',
          files: 12,
          used_bytes: 482_913,
          free_bytes: 40_000_000_000,
          total_bytes: 80_000_000_000,
        },
        database: { version: '16.4', bytes: 48_000_000, replica: { behind_seconds: 0 } },
        processes: [{ process: 'web', connections: 4 }],
        migrations: { applied: 18, last: '150_sandbox.sql', last_at: '2026-11-21T09:15:04.000Z' },
        backups: {
          scheduled: true,
          last_good: {
            at: '2026-11-21T02:30:41.000Z',
            name: 'trunkline-2026-11-21T02-30-00Z',
            place: '/mnt/backups/trunkline',
            bytes: 14_520_113,
            checked: true,
          },
          failed: null,
        },
        fills: [
          {
            name: 'figures',
            done: 420_000,
            total: 1_180_000,
            changed_at: '2026-11-21T09:14:02.000Z',
            error: null,
          },
        ],
        call_sums: {
          companies: 12,
          counting: 0,
          checked_at: '2026-11-21T02:10:04.000Z',
          repaired: null,
        },
      },
    },
  },
});

export const retryFailedJobs = operation({
  summary: 'Run the jobs of one kind that failed for good again; for platform staff',
  body: z.object({ job: z.string().min(1).max(100) }),
  answer: one(z.object({ retried: z.number() })),
  example: { body: { job: 'mail.send' }, answer: { data: { retried: 2 } } },
});
