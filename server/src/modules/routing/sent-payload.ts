import { routing } from '#contract';

/** A route in the form it is saved in. */
export function toRouteInput({ max_attempts: _, ...route }: routing.Route): routing.RouteIn {
  return route;
}

/** A saved route in the form it is shown in; null ids = not saved yet. */
export function toShownRoute(route: routing.RouteIn): Omit<routing.Route, 'id' | 'forwards'> & {
  id: number | null;
  forwards: (Omit<routing.Route['forwards'][number], 'id'> & { id: number | null })[];
} {
  const { after_hours: after } = route;
  return {
    ...route,
    id: route.id ?? null,
    forwards: route.forwards.map((forward, i) => ({
      ...forward,
      id: forward.id ?? null,
      number: forward.number ?? null,
      contact_id: forward.contact_id ?? null,
      user_id: forward.user_id ?? null,
      team_id: forward.team_id ?? null,
      weight: forward.weight ?? null,
      timeout: forward.timeout ?? null,
      schedule: forward.schedule ?? null,
      order: i,
      caller_id: forward.caller_id ?? null,
      custom_caller_id: forward.custom_caller_id ?? null,
    })),
    voicemail_greeting_id: route.voicemail_greeting_id ?? null,
    after_hours: after === null ? null : { ...after, target: after.target ?? null },
    max_attempts: 1,
  };
}
