import { support as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { createSupportTicket } from './create-support-ticket.ts';
import { closeSupportTicket, getSupportTicket, replyToSupport } from './own-conversation.ts';
import { getStaffTicket, replyAsSupport, updateStaffTicket } from './staff-conversation.ts';
import {
  findCompaniesByPin,
  listAllSupportTickets,
  listSupportTickets,
} from './list-support-tickets.ts';
import { getSystemStatus, retryFailedJobs } from './system-status.ts';

export const routes = defineRoutes(contract, {
  createSupportTicket: (ctx, { body }, http) => createSupportTicket(ctx, body, http),
  listSupportTickets: (ctx, { query }) => listSupportTickets(ctx, query),
  listAllSupportTickets: withoutTransaction((ctx, { query }) => listAllSupportTickets(ctx, query)),
  getSupportTicket: (ctx, { params }) => getSupportTicket(ctx, params.ticketId),
  replyToSupport: (ctx, { params, body }) => replyToSupport(ctx, params.ticketId, body.message),
  closeSupportTicket: (ctx, { params }) => closeSupportTicket(ctx, params.ticketId),
  getStaffTicket: withoutTransaction((ctx, { params }) => getStaffTicket(ctx, params.id)),
  replyAsSupport: withoutTransaction((ctx, { params, body }) =>
    replyAsSupport(ctx, params.id, body),
  ),
  updateStaffTicket: withoutTransaction((ctx, { params, body }) =>
    updateStaffTicket(ctx, params.id, body),
  ),
  findCompaniesByPin: withoutTransaction((ctx, { query }) => findCompaniesByPin(ctx, query.pin)),
  getSystemStatus: withoutTransaction((ctx) => getSystemStatus(ctx)),
  retryFailedJobs: withoutTransaction((ctx, { body }) => retryFailedJobs(ctx, body.job)),
});
