import { z } from 'zod';
import { id } from '../../schemas.ts';

export const supportTicketCreated = z.object({ companyId: id, ticketId: id });

export const supportTicketChanged = z.object({ companyId: id, ticketId: id });
