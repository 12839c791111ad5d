import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const supportTicketCreated = event<typeof payloads.supportTicketCreated>({
  name: 'support_ticket.created',
  channel: 'companies',
  invalidates: ['listSupportTickets', 'listAllSupportTickets'],
});
