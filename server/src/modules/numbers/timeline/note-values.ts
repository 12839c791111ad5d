import type { EventData } from '#contract';
import type { numberValuesChanged } from '#contract/fields';
import type { TxCtx } from '../../../platform/context.ts';
import { differences } from './rules.ts';
import { insertEvent, stillKnown } from './store.ts';

/** A field, or a choice of it, went: its numbers tell it as a change by whoever did that. Told twice, it is written once. */
export async function noteValues(
  ctx: TxCtx,
  said: EventData<typeof numberValuesChanged>,
): Promise<void> {
  const known = await stillKnown(
    ctx.tx,
    ctx.companyId,
    said.changes.map((change) => change.numberId),
  );
  for (const { numberId, before, after } of said.changes.filter((change) =>
    known.has(change.numberId),
  ))
    for (const news of differences(
      { [`eav:${said.name}`]: before },
      { [`eav:${said.name}`]: after },
    ))
      await insertEvent(ctx.tx, ctx.companyId, {
        number_id: numberId,
        at: new Date(said.at),
        type: news.type,
        actor_type: said.userId === null ? 'system' : 'user',
        actor_id: said.userId,
        actor_name: said.userName,
        summary: news.summary,
        before: news.before,
        after: news.after,
        source: `field:${said.fieldId}:${said.at}:${before}`,
      });
}
