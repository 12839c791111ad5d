import type { Answer, Body, calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import type { CallingPresence } from '../../routing/index.ts';
import { pausesNow, presentPause } from './pauses.ts';
import { publishPresence, reachableUsers } from './presence.ts';
import { storeDoNotDisturb, usersNotDisturbed } from './store-presence.ts';

/** Do not disturb lasts at most this long, unless it has no end. */
const longestDays = 31;

/** Who can be rung now, as routing freezes it when a call starts. */
export const callingPresence = async (ctx: TxCtx): Promise<CallingPresence> => ({
  reachable: await reachableUsers(ctx),
  doNotDisturb: await usersNotDisturbed(ctx.tx, ctx.companyId, ctx.now),
});

/** The signed-in user's do not disturb, and why calls don't ring them now. */
export async function getAvailability(
  ctx: TxCtx,
): Promise<Answer<typeof contract.getAvailability>> {
  const { userId } = ctx.actor;
  const undisturbed = await usersNotDisturbed(ctx.tx, ctx.companyId, ctx.now);
  return {
    data: {
      do_not_disturb: undisturbed.has(userId),
      do_not_disturb_until: undisturbed.get(userId)?.toISOString() ?? null,
      pause: presentPause((await pausesNow(ctx)).get(userId)),
    },
  };
}

/** Turns the signed-in user's do not disturb on or off. Throws for an end that has passed. */
export async function setDoNotDisturb(
  ctx: TxCtx,
  body: Body<typeof contract.setDoNotDisturb>,
): Promise<Answer<typeof contract.getAvailability>> {
  const until = body.on && body.until ? new Date(body.until) : null;
  const latest = ctx.now.getTime() + longestDays * 86_400_000;
  if (until && !(until > ctx.now)) invalid({ until: 'Choose a time in the future.' });
  if (until && until.getTime() > latest)
    invalid({ until: `Choose a time in the next ${longestDays} days.` });
  await storeDoNotDisturb(ctx.tx, ctx.companyId, ctx.actor.userId, {
    do_not_disturb: body.on,
    do_not_disturb_until: until,
    updated_at: ctx.now,
  });
  await publishPresence(ctx);
  return getAvailability(ctx);
}
