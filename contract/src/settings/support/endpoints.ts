import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const createSupportTicket = endpoint<typeof operations.createSupportTicket>({
  name: 'createSupportTicket',
  method: 'POST',
  path: '/contact/support-ticket/{companyId}',
  permission: 'support.ticket',
  company: 'path',
  multipart: true,
});

export const listSupportTickets = endpoint<typeof operations.listSupportTickets>({
  name: 'listSupportTickets',
  method: 'GET',
  path: '/contact/support-ticket/{companyId}',
  permission: 'support.ticket',
  company: 'path',
});

export const listAllSupportTickets = endpoint<typeof operations.listAllSupportTickets>({
  name: 'listAllSupportTickets',
  method: 'GET',
  path: '/admin/support-tickets',
  permission: 'platform.operate',
  company: 'none',
});

export const findCompaniesByPin = endpoint<typeof operations.findCompaniesByPin>({
  name: 'findCompaniesByPin',
  method: 'GET',
  path: '/admin/support-pin',
  permission: 'platform.operate',
  company: 'none',
});

export const getSystemStatus = endpoint<typeof operations.getSystemStatus>({
  name: 'getSystemStatus',
  method: 'GET',
  path: '/admin/status',
  permission: 'platform.operate',
  company: 'none',
});

export const retryFailedJobs = endpoint<typeof operations.retryFailedJobs>({
  name: 'retryFailedJobs',
  method: 'POST',
  path: '/admin/status/retry',
  permission: 'platform.operate',
  company: 'none',
});
