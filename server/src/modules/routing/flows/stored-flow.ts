import { flows, routing } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { teamsById } from '../../companies/index.ts';
import { contactDestinations } from '../../numbers/index.ts';
import { toRouteInput, toShownRoute } from '../sent-payload.ts';
import { presentMenu } from '../present.ts';
import { routesOf } from '../routes-of.ts';
import { menuRow } from '../store.ts';
import { peopleOf } from '../store-references.ts';
import type { StoredFlow } from './store.ts';

/** The live flow of a number, in the form it is saved in. */
export async function liveFlow(ctx: TxCtx, numberId: number): Promise<StoredFlow> {
  const routes = await routesOf(ctx.tx, ctx.companyId, numberId);
  return {
    routes: routes.map(toRouteInput),
    menu: presentMenu(await menuRow(ctx.tx, ctx.companyId, numberId)),
  };
}

/** A stored flow, with defaults for route settings added since it was stored. */
export function parseStoredFlow(stored: unknown): StoredFlow {
  const { routes, menu } = stored as StoredFlow;
  const parsed = routing.routesIn.safeParse(routes);
  return { routes: parsed.success ? parsed.data : routes, menu };
}

/** A stored flow as the API returns it. */
export const shownFlow = (flow: StoredFlow): flows.Flow => ({
  routes: flow.routes.map(toShownRoute),
  menu: flow.menu,
});

/** The teams that flows ring, by ID. */
export const teamsOfFlows = (ctx: TxCtx, shown: readonly flows.Flow[]) =>
  teamsById(ctx.tx, ctx.companyId, [
    ...new Set(
      shown.flatMap(({ routes }) =>
        routes.flatMap((route) => route.forwards.flatMap((one) => one.team_id ?? [])),
      ),
    ),
  ]);

/** A stored flow for display: forwarding contacts and teams as they are now. */
export async function shownWithReferences(ctx: TxCtx, flow: StoredFlow): Promise<flows.Flow> {
  const shown = shownFlow(flow);
  const teams = await teamsOfFlows(ctx, [shown]);
  const contacts = await contactDestinations(ctx.tx, ctx.companyId, [
    ...new Set(
      shown.routes.flatMap((route) => route.forwards.flatMap((one) => one.contact_id ?? [])),
    ),
  ]);
  return {
    ...shown,
    routes: shown.routes.map((route) => ({
      ...route,
      forwards: route.forwards.map((one) => {
        const contact = one.contact_id === null ? undefined : contacts.get(one.contact_id);
        const team = one.team_id === null ? undefined : teams.get(one.team_id);
        return contact === undefined
          ? { ...one, label: team?.name ?? one.label }
          : {
              ...one,
              label: one.label || contact.name,
              number: contact.number,
              user_id: contact.user_id,
            };
      }),
    })),
  };
}

/** Names of the company's users by id. */
export async function userNames(ctx: TxCtx): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await peopleOf(ctx.db.unscoped, ctx.companyId, null)).map((person) => [
      person.id,
      person.name,
    ]),
  );
}
