import type { EventData } from '#contract';
import type { teamNotification } from '#contract/conversations/team/events';
import type { TxCtx } from '../../platform/context.ts';
import { addToMailDigest } from './mail-digest.ts';
import { pushTo, reachableNow } from './push.ts';
import { readersOf } from './store-settings.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** Notifies a mentioned or assigned user by push and email, as their settings allow. */
export async function notifyOfTeamEvent(
  ctx: TxCtx,
  event: EventData<typeof teamNotification>,
): Promise<void> {
  const [person] = await readersOf(ctx.db.unscoped, ctx.companyId, [event.userId]);
  if (!person) return;
  const body = event.kind === 'mention' ? event.text : event.about;
  const title =
    event.kind === 'mention'
      ? `${event.byName} mentioned you`
      : `${event.byName} assigned ${event.text || 'you'} a conversation`;
  const url = event.conversationId ? `/inbox/${event.conversationId}` : '/inbox';
  const reachable = await reachableNow(ctx, [event.userId], event.kind, event.numberId);
  await pushTo(
    ctx,
    reachable,
    ['web'],
    {
      kind: 'news',
      title,
      body: body.slice(0, 180),
      url,
      tag: `team-${event.key}`,
      data: { companyId: ctx.companyId, conversationId: event.conversationId, event: event.kind },
      ttlSeconds: 86_400,
    },
    `team:${ctx.companyId}:${event.key}:${event.userId}`,
  );
  if (event.conversationId)
    await addToMailDigest(ctx, [person], {
      kind: event.kind,
      numberId: event.numberId,
      conversationId: event.conversationId,
      line: { text: event.text, at: ctx.now.toISOString(), itemId: null, who: event.byName },
    });
}
