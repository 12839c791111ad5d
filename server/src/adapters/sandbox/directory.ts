/**
 * Who can be called and texted in this sandbox: every company's active numbers at it, so that somebody who holds an outside
 * phone need not know them by heart. Read only, and only with the sandbox carrier, which has no secrets from anyone; numbers
 * at other carriers are not its to show.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { House } from '../../platform/context.ts';
import type { ProviderId } from '../../ports/carrier.ts';

interface Row { provider: ProviderId; ref: string | null; number: string; label: string; company: string; texts: boolean; calls: boolean }

export const sandboxDirectory = (house: Pick<House, 'db' | 'ports'>) => async (app: FastifyInstance): Promise<void> => {
  app.get('/sandbox/numbers', async () => {
    // Across companies, so as the system; bound to no company's rows.
    const { rows } = await sql<Row>`
      select n.provider_id as provider, n.provider_ref as ref, n.number, n.label, c.name as company, n.sms_enabled as texts, n.category <> 3 as calls
      from number n join company c on c.id = n.company_id
      where n.status = 'active' order by c.id, n.created_at, n.id limit 5000`.execute(house.db.directory);
    const own = rows.filter(({ provider, ref }) => house.ports.carriers.ofNumber({ providerId: provider, providerRef: ref })?.name === 'sandbox');
    return { data: own.slice(0, 500).map(({ provider: _, ref: __, ...row }) => row) };
  });
};
