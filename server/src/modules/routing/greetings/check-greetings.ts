import type { routing } from '#contract';
import { firstGreetingMusic } from '#contract/routing/greetings/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { typesOf } from './store.ts';

interface GreetingReference {
  field: string;
  id: number;
  isHoldMusic?: boolean;
}

/**
 * Errors by field for greetings that do not exist, or are used as hold music and are of another
 * type.
 */
export async function greetingErrors(
  ctx: TxCtx,
  references: readonly GreetingReference[],
): Promise<Record<string, string[]>> {
  const types = await typesOf(ctx.tx, ctx.companyId, [...new Set(references.map((one) => one.id))]);
  const errors: Record<string, string[]> = {};
  for (const { field, id, isHoldMusic } of references) {
    if (!types.has(id)) errors[field] = ['This greeting doesn’t exist.'];
    else if (isHoldMusic && types.get(id) !== 'hold')
      errors[field] = ['Choose a greeting of the type hold music.'];
  }
  return errors;
}

/** The greetings routes refer to: voicemail, after hours, hold music. */
export const greetingsOfRoutes = (
  routes: readonly Pick<
    routing.RouteIn,
    'voicemail_greeting_id' | 'after_hours' | 'onhold_music_id'
  >[],
  field: string,
): GreetingReference[] =>
  routes.flatMap((route, i) => [
    ...(route.voicemail_greeting_id
      ? [{ field: `${field}.${i}.voicemail_greeting_id`, id: route.voicemail_greeting_id }]
      : []),
    ...(route.after_hours?.action === 'greeting' && typeof route.after_hours.target === 'number'
      ? [{ field: `${field}.${i}.after_hours.target`, id: route.after_hours.target }]
      : []),
    ...(route.onhold_music_id !== null && route.onhold_music_id >= firstGreetingMusic
      ? [{ field: `${field}.${i}.onhold_music_id`, id: route.onhold_music_id, isHoldMusic: true }]
      : []),
  ]);

/** The ids of all greetings these routes refer to. */
export const greetingIdsOfRoutes = (routes: readonly routing.Route[]): number[] =>
  greetingsOfRoutes(routes, '').map((one) => one.id);
