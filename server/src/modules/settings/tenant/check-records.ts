import type { DnsRecord } from '#contract/settings/tenant/schemas';
import { DnsUnavailableError, type DnsGateway } from '../../../gateways/dns.ts';
import { isSameValue } from './rules.ts';

/**
 * Looks at each record.
 * @returns the records with what was found; null: no name server answered, so nothing is known
 */
export async function checkRecords(
  dns: DnsGateway,
  records: readonly DnsRecord[],
): Promise<DnsRecord[] | null> {
  try {
    return await Promise.all(
      records.map(async (record) => {
        const values = await dns.lookup(record.type, record.host);
        const right = values.find((value) => isSameValue(record.type, value, record.value));
        const found = right ?? values[0] ?? null;
        return { ...record, found, ok: right !== undefined };
      }),
    );
  } catch (error) {
    if (error instanceof DnsUnavailableError) return null;
    throw error;
  }
}

/** The sentence for records that aren't there yet (A28); null: all are. */
export const missingRecords = (records: readonly DnsRecord[]): string | null =>
  records.every(({ ok }) => ok) ? null : 'We can’t find these DNS records yet.';
