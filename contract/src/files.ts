import { z } from 'zod';
import { endpoint, id } from './kit.ts';

/** The bytes behind the signed addresses that other answers carry: recordings, pictures, faxes, exports (B §7). */
const text = z.string().max(100).optional();
export const getFile = endpoint({
  name: 'getFile',
  method: 'GET',
  path: '/files/{id}',
  summary:
    'A file’s bytes, whole or a `Range` of them. The address comes signed with the answers that name the file and is good for minutes: the signature is the permission, and a session neither helps nor is needed',
  permission: 'public',
  company: 'none',
  params: z.object({ id }),
  query: z.object({
    company: text.meta({ description: 'As the signed address has it' }),
    expires: text.meta({ description: 'Seconds since 1970, as the signed address has it' }),
    signature: text.meta({ description: 'As the signed address has it' }),
    download: text.meta({ description: '`1`: to be saved, never shown in the page' }),
  }),
  answer: z.unknown(),
  binary: true,
  limit: 'none',
  refusals: ['link.expired', 'file.not_here'],
  example: {
    params: { id: 48213380031 },
    query: { company: '7300412', expires: '1795253700', signature: 'Zm9v', download: '1' },
  },
});
