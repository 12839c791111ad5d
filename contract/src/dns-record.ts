import { z } from 'zod';

/** One DNS record that the owner of a domain must create (A21). */
export const dnsRecord = z.object({
  type: z.enum(['TXT', 'CNAME', 'A', 'AAAA', 'MX']),
  host: z.string(),
  value: z.string().meta({ description: 'What DNS must hold' }),
  found: z
    .string()
    .nullable()
    .meta({ description: 'What DNS holds. null: nothing, or not checked yet' }),
  ok: z.boolean(),
});
export type DnsRecord = z.infer<typeof dnsRecord>;
