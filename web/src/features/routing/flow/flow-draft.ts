import { routing, type flows } from '#contract';
import { toDraft, withoutEmptyRows, type Draft } from '../draft.ts';
import { toRequest } from '../draft-request.ts';

/** A stored flow as form values. What is new keeps its null id, and every row gets a key. */
export function draftFromFlow(flow: flows.Flow): Draft {
  // Negative ids stand in for rows that have none yet.
  let stand = 0;
  const routes = flow.routes.map((route) => ({
    ...route,
    id: route.id ?? (stand -= 1),
    forwards: route.forwards.map((one) => ({ ...one, id: one.id ?? (stand -= 1) })),
  }));
  const draft = toDraft({ routes, menu: flow.menu } as Pick<
    routing.NumberWithRoutes,
    'routes' | 'menu'
  >);
  const real = (id: number | null): number | null => (id !== null && id > 0 ? id : null);
  return {
    ...draft,
    routes: draft.routes.map((route) => ({
      ...route,
      id: real(route.id),
      forwards: route.forwards.map((one) => ({ ...one, id: real(one.id) })),
    })),
  };
}

/** The form values as the description reads them. */
export function toSpokenFlow(draft: Draft): flows.DescribedFlow {
  const tidy = withoutEmptyRows(draft);
  const sent = toRequest(tidy);
  return {
    menu: sent.menu,
    routes: sent.routes.map((route, i) => ({
      ...route,
      id: route.id ?? null,
      voicemail_greeting_id: route.voicemail_greeting_id ?? null,
      after_hours:
        route.after_hours === null
          ? null
          : { ...route.after_hours, target: route.after_hours.target ?? null },
      // The request names a saved destination by id only; the description needs its name and
      // number.
      forwards: (tidy.routes[i]?.forwards ?? []).map((one) => ({
        label: one.label,
        number:
          one.user_id === null && one.team_id === null
            ? (routing.destinationNumber(one.number) ?? one.number)
            : null,
        user_id: one.user_id,
        team_id: one.team_id,
        weight: one.weight,
        timeout: one.timeout,
        schedule: one.schedule,
        area_codes: one.area_codes,
        states: one.states,
        caller_id: one.caller_id,
        custom_caller_id: one.custom_caller_id,
      })),
    })),
  };
}
