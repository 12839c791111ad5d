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

export const getSupportTicket = endpoint<typeof operations.getSupportTicket>({
  name: 'getSupportTicket',
  method: 'GET',
  path: '/contact/support-ticket/{companyId}/{ticketId}',
  permission: 'support.ticket',
  company: 'path',
});

export const replyToSupport = endpoint<typeof operations.replyToSupport>({
  name: 'replyToSupport',
  method: 'POST',
  path: '/contact/support-ticket/{companyId}/{ticketId}/reply',
  permission: 'support.ticket',
  company: 'path',
});

export const closeSupportTicket = endpoint<typeof operations.closeSupportTicket>({
  name: 'closeSupportTicket',
  method: 'POST',
  path: '/contact/support-ticket/{companyId}/{ticketId}/close',
  permission: 'support.ticket',
  company: 'path',
});

export const getStaffTicket = endpoint<typeof operations.getStaffTicket>({
  name: 'getStaffTicket',
  method: 'GET',
  path: '/admin/support-tickets/{id}',
  permission: 'platform.operate',
  company: 'none',
});

export const replyAsSupport = endpoint<typeof operations.replyAsSupport>({
  name: 'replyAsSupport',
  method: 'POST',
  path: '/admin/support-tickets/{id}/reply',
  permission: 'platform.operate',
  company: 'none',
});

export const updateStaffTicket = endpoint<typeof operations.updateStaffTicket>({
  name: 'updateStaffTicket',
  method: 'PUT',
  path: '/admin/support-tickets/{id}',
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
