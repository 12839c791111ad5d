import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { faxStates } from './rules.ts';

export const state = z.enum(faxStates);

/**
 * `url` is signed and valid for 15 minutes. `width` and `height` have the page’s true proportions,
 * as a fax’s pixels are not square.
 */
const faxPage = z.object({
  n: z.number(),
  url: z.string(),
  width: z.number(),
  height: z.number(),
});

export const fax = z.object({
  id,
  company_id: id,
  conversationId: id.nullable(),
  itemId: id.nullable(),
  isInbound: z.boolean(),
  number: z.object({ id, number: z.string(), label: z.string() }),
  party: z.string().meta({ description: 'E.164 number of the other party' }),
  state,
  name: z.string(),
  pages: z.number().meta({ description: '0 while the pages are being rendered' }),
  images: z.array(faxPage),
  url: z.string().nullable().meta({ description: 'Signed link to the document as a PDF' }),
  tiff: z.string().nullable().meta({ description: 'The pages as transmitted (TIFF, group 4)' }),
  cover: z
    .object({ to: z.string(), from: z.string(), subject: z.string(), note: z.string() })
    .nullable(),
  errorCode: z.string().nullable(),
  errorText: z.string().nullable(),
  attempts: z.number(),
  mayRetry: z.boolean(),
  actor: z.object({ userId: id, name: z.string() }).nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
});

export type Fax = z.infer<typeof fax>;
