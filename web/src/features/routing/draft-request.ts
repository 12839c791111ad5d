import { routing } from '#contract';
import { isPhone, type Draft } from './draft.ts';

/** Star and pound are numbers on the wire, digits are text (B §3). */
function confirmKeyOf(chosen: string): routing.RouteIn['confirm_key'] {
  if (chosen === '') return false;
  return (chosen.length > 1 ? Number(chosen) : chosen) as routing.RouteIn['confirm_key'];
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The draft as PUT /numbers/{id} and simulate take it. Empty texts and choices become null. */
export function toRequest(draft: Draft): {
  routes: routing.RouteIn[];
  menu: {
    greeting: string | null;
    greeting_id: number | null;
    fallback: 'voicemail' | number | null;
  };
} {
  const { fallback } = draft.menu;
  return {
    menu: {
      greeting: textOrNull(draft.menu.greeting),
      greeting_id: draft.menu.greeting_id ?? null,
      fallback: fallback === '' ? null : fallback === 'voicemail' ? 'voicemail' : Number(fallback),
    },
    routes: draft.routes.map(({ key: _, ...route }) => ({
      ...route,
      forwards: route.forwards.map(({ key: __, ...forward }) => ({
        ...forward,
        ...(forward.contact_id === null
          ? {
              number: isPhone(forward)
                ? (routing.destinationNumber(forward.number) ?? forward.number)
                : null,
            }
          : { number: null, user_id: null, team_id: null }),
      })),
      confirm_key: confirmKeyOf(route.confirm_key),
      after_hours:
        route.after_hours.action === ''
          ? null
          : {
              action: route.after_hours.action,
              target:
                route.after_hours.action === 'voicemail'
                  ? null
                  : route.after_hours.action === 'greeting' && route.after_hours.greeting_id
                    ? route.after_hours.greeting_id
                    : route.after_hours.target,
            },
      onhold_music_id: route.onhold_music_id === '' ? null : Number(route.onhold_music_id),
      voicemail_greeting: textOrNull(route.voicemail_greeting),
    })),
  };
}
