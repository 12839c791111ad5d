import type { EventData } from '#contract';
import type { numberValuesChanged } from '#contract/fields/events';
import type { TxCtx } from '../../../platform/context.ts';
import { differences } from './rules.ts';
import { insertEvent, existingNumbers } from './store.ts';

/**
 * A custom field or one of its options was removed: adds the change to the timelines of its
 * numbers, in the name of who removed it; once, even if the event is delivered again.
 */
export async function recordValueChanges(
  ctx: TxCtx,
  event: EventData<typeof numberValuesChanged>,
): Promise<void> {
  const known = await existingNumbers(
    ctx.tx,
    ctx.companyId,
    event.changes.map((change) => change.numberId),
  );
  for (const { numberId, before, after } of event.changes.filter((change) =>
    known.has(change.numberId),
  ))
    for (const entry of differences(
      { [`eav:${event.name}`]: before },
      { [`eav:${event.name}`]: after },
    ))
      await insertEvent(ctx.tx, ctx.companyId, {
        number_id: numberId,
        at: new Date(event.at),
        type: entry.type,
        actor_type: event.userId === null ? 'system' : 'user',
        actor_id: event.userId,
        actor_name: event.userName,
        summary: entry.summary,
        before: entry.before,
        after: entry.after,
        source: `field:${event.fieldId}:${event.at}:${before}`,
      });
}
