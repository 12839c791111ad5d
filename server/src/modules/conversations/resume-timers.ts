import type { TxCtx } from '../../platform/context.ts';
import { enqueueScheduled } from './schedule-message.ts';
import { snoozedConversations, scheduledTexts } from './store-timers.ts';
import { enqueueWakeUp } from './team/snooze-conversations.ts';

/**
 * Sets the timers of a company whose rows came without jobs: scheduled texts and the end of snoozes.
 * A text that should have gone out before is left as it is, since it probably did where it came from;
 * someone sends it now or cancels it.
 * @returns how many texts will go out, and how many were due before
 */
export async function resumeTimers(t: TxCtx): Promise<{ scheduled: number; overdue: number }> {
  const texts = await scheduledTexts(t.tx, t.companyId);
  const ahead = texts.filter(({ sendAt }) => sendAt > t.now);
  for (const { id, sendAt } of ahead) await enqueueScheduled(t, id, sendAt);
  for (const { id, until } of await snoozedConversations(t.tx, t.companyId))
    await enqueueWakeUp(t, id, until);
  return { scheduled: ahead.length, overdue: texts.length - ahead.length };
}
