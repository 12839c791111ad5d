import { routesOf } from '../src/modules/routing/index.ts';
import type { Tx } from '../src/platform/db.ts';

const DAY = 86_400_000;

/**
 * Gives the first number's flow an earlier version with one extension less, to read and to restore.
 */
export async function seedFlows(
  tx: Tx,
  company_id: number,
  number_id: number,
  by: { id: number; name: string },
  now: Date,
): Promise<void> {
  const routes = await routesOf(tx, company_id, number_id);
  const said = await tx
    .selectFrom('number_menu')
    .select(['greeting', 'fallback'])
    .where('company_id', '=', company_id)
    .where('number_id', '=', number_id)
    .executeTakeFirst();
  const menu = {
    greeting: said?.greeting ?? null,
    greeting_id: null,
    fallback: said?.fallback ? Number(said.fallback) : null,
  };
  const last = routes.at(-1);
  if (last === undefined || routes.length < 2) return;
  const version = (n: number, daysAgo: number, summary: string, flow: object) => ({
    company_id,
    number_id,
    version: n,
    kind: 'published',
    flow: JSON.stringify(flow),
    summary,
    published_by: by.id,
    published_by_name: by.name,
    published_at: new Date(now.getTime() - daysAgo * DAY),
  });
  await tx
    .insertInto('flow_version')
    .values([
      version(
        1,
        88,
        routes
          .slice(0, -1)
          .map((one) => `${one.label} was added.`)
          .join(' '),
        { routes: routes.slice(0, -1), menu: { ...menu, greeting: null } },
      ),
      version(
        2,
        31,
        `${last.label} was added: it goes to voicemail. The menu now says “${menu.greeting?.slice(0, 60) ?? ''}…”.`,
        { routes, menu },
      ),
    ])
    .execute();
}
