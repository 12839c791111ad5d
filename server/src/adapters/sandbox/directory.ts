/**
 * Who can be called and texted in this sandbox: every company's active numbers at it, so that somebody who holds an outside
 * phone need not know them by heart. Read only, and only with the sandbox carrier, which has no secrets from anyone; numbers
 * at other carriers are not its to show.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '../../platform/context.ts';
import type { ProviderId } from '../../gateways/carrier.ts';

interface Row {
  provider: ProviderId;
  ref: string | null;
  number: string;
  label: string;
  company: string;
  texts: boolean;
  calls: boolean;
}

/**
 * Why nobody may text, call or fax this number (E.164) through the sandbox, as a sentence: it is a number of ours at
 * another carrier, whose reports are signed, so nobody may make up any for it here. Null: the sandbox's, or nobody's.
 */
export async function unreachableReason(
  { db, gateways: ports }: Pick<Services, 'db' | 'gateways'>,
  number: string,
): Promise<string | null> {
  if (ports.carriers.all.every(({ name }) => name === 'sandbox')) return null;
  const { rows } = await sql<{ provider: ProviderId }>`
    select n.provider_id as provider from number_directory d
    join number n on n.company_id = d.company_id and n.id = d.number_id where d.number = ${number}`.execute(
    db.unscoped,
  );
  const carrier = rows[0] && ports.carriers.forProvider(rows[0].provider);
  return carrier && carrier.name !== 'sandbox'
    ? `This number is at ${carrier.label}. Only the sandbox’s own numbers can be reached here.`
    : null;
}

export const sandboxDirectory =
  (services: Pick<Services, 'db' | 'gateways'>) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get('/sandbox/numbers', async () => {
      // Across companies, so as the system; bound to no company's rows.
      const { rows } = await sql<Row>`
      select n.provider_id as provider, n.provider_ref as ref, n.number, n.label, c.name as company, n.sms_enabled as texts, n.category <> 3 as calls
      from number n join company c on c.id = n.company_id
      where n.status = 'active' order by c.id, n.created_at, n.id limit 5000`.execute(
        services.db.unscoped,
      );
      const own = rows.filter(
        ({ provider, ref }) =>
          services.gateways.carriers.forNumber({ providerId: provider, providerRef: ref })?.name ===
          'sandbox',
      );
      return { data: own.slice(0, 500).map(({ provider: _, ref: __, ...row }) => row) };
    });
  };
