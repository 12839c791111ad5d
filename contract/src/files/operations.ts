import { z } from 'zod';
import { operation } from '../operation.ts';
import { id } from '../schemas.ts';

/** Query of a signed URL for a recording, picture, fax or export (B §7). */
const text = z.string().max(100).optional();

export const getFile = operation({
  summary:
    'Get a file’s bytes, whole or a `Range` of them. The response that names a file holds its signed link, which works for a few minutes; the signature is the permission, so no session is needed',
  params: z.object({ id }),
  query: z.object({
    company: text.meta({ description: 'As in the signed link' }),
    expires: text.meta({ description: 'Seconds since 1970, as in the signed link' }),
    signature: text.meta({ description: 'As in the signed link' }),
    download: text.meta({
      description: '`1`: download the file instead of showing it in the page',
    }),
  }),
  answer: z.unknown(),
  binary: true,
  limit: 'none',
  errors: ['link.expired', 'file.not_here'],
  example: {
    params: { id: 48213380031 },
    query: { company: '7300412', expires: '1795253700', signature: 'Zm9v', download: '1' },
  },
});
