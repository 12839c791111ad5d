/**
 * Who can be called and texted in this sandbox: every company's active numbers, so that somebody who holds an outside
 * phone need not know them by heart. Read only, and only with the sandbox carrier, which has no secrets from anyone.
 */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { House } from '../../platform/context.ts';

interface Row { number: string; label: string; company: string; texts: boolean; calls: boolean }

export const sandboxDirectory = (house: Pick<House, 'db'>) => async (app: FastifyInstance): Promise<void> => {
  app.get('/sandbox/numbers', async () => {
    // Across companies, so as the system; bound to no company's rows.
    const { rows } = await sql<Row>`
      select n.number, n.label, c.name as company, n.sms_enabled as texts, n.category <> 3 as calls
      from number n join company c on c.id = n.company_id
      where n.status = 'active' order by c.id, n.created_at, n.id limit 500`.execute(house.db.directory);
    return { data: rows };
  });
};
