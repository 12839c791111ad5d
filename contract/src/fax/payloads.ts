import { z } from 'zod';
import { id } from '../schemas.ts';
import { state } from './schemas.ts';

const ofAFax = {
  faxId: id,
  numberId: id,
  party: z.string(),
  conversationId: id.nullable(),
  pages: z.number(),
};

export const faxReceived = z.object({
  ...ofAFax,
  fileId: id,
  contactName: z.string().nullable(),
  quiet: z.boolean(),
});

export const faxStatusChanged = z.object({ ...ofAFax, state, errorCode: z.string().nullable() });
