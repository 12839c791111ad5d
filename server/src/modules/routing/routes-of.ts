import type { routing } from '#contract';
import type { Tx } from '../../platform/db.ts';
import { teamsById } from '../companies/index.ts';
import { contactDestinations } from '../numbers/index.ts';
import { presentRoute } from './present.ts';
import { forwardsOfRoutes, routesOfNumbers } from './store.ts';

/** The routes of one number, in order of extension. */
export async function routesOf(
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<routing.Route[]> {
  return (await routesOfMany(tx, companyId, [numberId])).get(numberId) ?? [];
}

/** The routes of several numbers by number. */
async function routesOfMany(
  tx: Tx,
  companyId: number,
  numberIds: readonly number[],
): Promise<Map<number, routing.Route[]>> {
  const rows = await routesOfNumbers(tx, companyId, numberIds);
  const forwards = await forwardsOfRoutes(
    tx,
    companyId,
    rows.map((row) => row.id),
  );
  const contacts = await contactDestinations(tx, companyId, [
    ...new Set(forwards.flatMap((one) => one.contact_id ?? [])),
  ]);
  const teams = await teamsById(
    tx,
    companyId,
    forwards.flatMap((one) => one.team_id ?? []),
  );
  const routes = new Map<number, routing.Route[]>();
  for (const row of rows) {
    const presented = presentRoute(
      row,
      forwards.filter((one) => one.route_id === row.id),
      contacts,
      teams,
    );
    routes.set(row.number_id, [...(routes.get(row.number_id) ?? []), presented]);
  }
  return routes;
}
