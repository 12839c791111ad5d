import { routing, type templates as contract } from '#contract';
import type { ContactDestination } from '../forwarding/contact-destinations.ts';

type RouteInput = routing.RouteIn;

/** Routes of a template as they are kept: each with an id of the template's own, in order of extension. */
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
        ...(forward.contact_id ? { number: null, user_id: null } : {}),
      })),
    }));
}
/** As routes of a number: nothing of it has an id there yet. */
export const newRoutes = (routes: readonly RouteInput[]): RouteInput[] =>
  routes.map(({ id: _, ...route }) => ({
    ...route,
    forwards: route.forwards.map(({ id: __, ...forward }) => forward),
  }));

/** As they are shown: keyed by id, what was left out is null, a forwarding contact with where it leads now. */
export function presentRoutes(
  routes: readonly RouteInput[],
  contacts: ReadonlyMap<number, ContactDestination>,
): contract.NumberTemplate['routes'] {
  return Object.fromEntries(
    routes.map((route): [string, routing.Route] => [
      String(route.id),
      {
        ...route,
        id: route.id!,
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
/** AI needs the recording and its words: with it both are on, whatever was sent (A6.4). */
export const withAiRequirements = <T extends RecordingSettings>(settings: T): T =>
  settings.ai_eav_enabled
    ? { ...settings, record: true, call_transcription_enabled: true }
    : settings;
