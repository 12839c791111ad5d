import type { calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { hoursOfPeople, pauseOf, type PersonPause } from '../../routing/index.ts';
import { presenceState } from '../rules.ts';
import { usersNotDisturbed, type PresenceRow } from './store-presence.ts';

/** Why users of the company aren't rung now, by user ID; absent: nothing keeps them from it. */
export async function pausesNow(ctx: TxCtx): Promise<ReadonlyMap<number, PersonPause>> {
  const undisturbed = await usersNotDisturbed(ctx.tx, ctx.companyId, ctx.now);
  const hours = await hoursOfPeople(ctx);
  const pauses = new Map<number, PersonPause>();
  for (const userId of new Set([...undisturbed.keys(), ...hours.keys()])) {
    const doNotDisturb = undisturbed.has(userId)
      ? { until: undisturbed.get(userId)?.getTime() ?? null }
      : undefined;
    const pause = pauseOf({ hours: hours.get(userId), doNotDisturb }, ctx.now.getTime());
    if (pause) pauses.set(userId, pause);
  }
  return pauses;
}

/** A pause as the API shows it; null: none. */
export const presentPause = (pause: PersonPause | undefined): contract.Pause | null =>
  pause
    ? {
        reason: pause.reason,
        until: pause.until === null ? null : new Date(pause.until).toISOString(),
      }
    : null;

/** A teammate's status as others see it: away while they aren't rung, with the reason. */
export function shownStatus(person: PresenceRow, pause: PersonPause | undefined) {
  const status = presenceState(person);
  return {
    status: pause && status === 'active' ? ('away' as const) : status,
    pause: presentPause(pause),
  };
}
