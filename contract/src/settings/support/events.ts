import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const supportTicketCreated = event<typeof payloads.supportTicketCreated>({
  name: 'support_ticket.created',
  channel: 'companies',
  invalidates: ['listSupportTickets', 'listAllSupportTickets'],
});

export const supportTicketChanged = event<typeof payloads.supportTicketChanged>({
  name: 'support_ticket.changed',
  channel: 'companies',
  invalidates: [
    'listSupportTickets',
    'getSupportTicket',
    'listAllSupportTickets',
    'getStaffTicket',
  ],
});
