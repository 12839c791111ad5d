import { routing, type templates as contract } from '#contract';
import type { ContactDestination } from '../forwarding/contact-destinations.ts';

type RouteInput = routing.RouteIn;

/** Routes as a template stores them: in order of extension, each with an ID within the template. */
export function storedRoutes(routes: readonly RouteInput[]): RouteInput[] {
  let next = Math.max(0, ...routes.map((route) => route.id ?? 0)) + 1;
  return [...routes]
    .sort((a, b) => a.extension - b.extension)
    .map((route) => ({
      ...route,
      id: route.id ?? next++,
      forwards: route.forwards.map((forward, i) => ({
        ...forward,
        id: i + 1,
        ...(forward.contact_id ? { number: null, user_id: null, team_id: null } : {}),
      })),
    }));
}
/** Routes as input for a number: without IDs. */
export const newRoutes = (routes: readonly RouteInput[]): RouteInput[] =>
  routes.map(({ id: _, ...route }) => ({
    ...route,
    forwards: route.forwards.map(({ id: __, ...forward }) => forward),
  }));

/**
 * Routes as the API shows them: by ID, null for what is omitted, and forwarding contacts with their
 * current destination.
 */
export function presentRoutes(
  routes: readonly RouteInput[],
  contacts: ReadonlyMap<number, ContactDestination>,
): contract.NumberTemplate['routes'] {
  return Object.fromEntries(
    routes.map((route): [string, routing.Route] => [
      String(route.id),
      {
        ...route,
        id: route.id!, // stored routes have one
        voicemail_greeting_id: route.voicemail_greeting_id ?? null,
        max_attempts: 1,
        after_hours:
          route.after_hours === null
            ? null
            : { action: route.after_hours.action, target: route.after_hours.target ?? null },
        forwards: route.forwards.map((forward, i) => {
          const contact = forward.contact_id ? contacts.get(forward.contact_id) : undefined;
          return {
            id: forward.id ?? i + 1,
            label: forward.label || (contact?.name ?? ''),
            number: contact ? contact.number : (forward.number ?? null),
            contact_id: contact?.id ?? forward.contact_id ?? null,
            user_id: contact ? contact.user_id : (forward.user_id ?? null),
            team_id: forward.team_id ?? null,
            weight: forward.weight ?? null,
            timeout: forward.timeout ?? null,
            schedule: forward.schedule ?? null,
            area_codes: forward.area_codes,
            states: forward.states,
            order: i,
            caller_id: forward.caller_id ?? null,
            custom_caller_id: forward.custom_caller_id ?? null,
          };
        }),
      } as routing.Route,
    ]),
  );
}

interface RecordingSettings {
  record: boolean;
  call_transcription_enabled: boolean;
  ai_eav_enabled: boolean;
}
/** AI fields require recording and transcription, so both are turned on with them (A6.4). */
export const withAiRequirements = <T extends RecordingSettings>(settings: T): T =>
  settings.ai_eav_enabled
    ? { ...settings, record: true, call_transcription_enabled: true }
    : settings;
