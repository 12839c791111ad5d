import { support as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { createSupportTicket } from './create-support-ticket.ts';
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
  findCompaniesByPin: withoutTransaction((ctx, { query }) => findCompaniesByPin(ctx, query.pin)),
  getSystemStatus: withoutTransaction((ctx) => getSystemStatus(ctx)),
  retryFailedJobs: withoutTransaction((ctx, { body }) => retryFailedJobs(ctx, body.job)),
});
