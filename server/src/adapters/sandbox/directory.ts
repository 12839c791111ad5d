/**
 * The numbers that can be called and texted in this sandbox: every company's active numbers at it,
 * so that the holder of an outside phone can pick one. Read only. Numbers at other carriers are not
 * shown.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Services } from '../../platform/context.ts';
import type { ProviderId } from '../../gateways/carrier.ts';

// The system role: the simulated carrier’s own tables have no company.

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
 * Why this number (E.164) cannot be texted, called or faxed through the sandbox, as a sentence: it
 * is one of our numbers at another carrier, whose webhooks are signed, so the sandbox must not
 * forge any for it. Null for the sandbox's numbers and unknown ones.
 */
export async function unreachableReason(
  { db, gateways }: Pick<Services, 'db' | 'gateways'>,
  number: string,
): Promise<string | null> {
  if (gateways.carriers.all.every(({ name }) => name === 'sandbox')) return null;
  const { rows } = await sql<{ provider: ProviderId }>`
    select n.provider_id as provider from number_directory d
    join number n on n.company_id = d.company_id and n.id = d.number_id
      where d.number = ${number}`.execute(db.unscoped);
  const carrier = rows[0] && gateways.carriers.forProvider(rows[0].provider);
  return carrier && carrier.name !== 'sandbox'
    ? `This number is at ${carrier.label}. Only the sandbox’s own numbers can be reached here.`
    : null;
}

/** `GET /sandbox/numbers`: at most 500 numbers of all companies. */
export const sandboxDirectory =
  (services: Pick<Services, 'db' | 'gateways'>) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get('/sandbox/numbers', async () => {
      // Reads across companies, so without row-level security.
      const { rows } = await sql<Row>`
      select n.provider_id as provider, n.provider_ref as ref, n.number, n.label, c.name as company,
        n.sms_enabled as texts, n.category <> 3 as calls
      from number n join company c on c.id = n.company_id
      where n.status = 'active' order by c.kind = 'caddy', c.id, n.created_at, n.id limit 5000`.execute(
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
