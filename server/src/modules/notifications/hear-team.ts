import type { EventData } from '#contract';
import type { teamNews } from '#contract/teamwork';
import type { TxCtx } from '../../platform/context.ts';
import { noteForMail } from './mail-news.ts';
import { pushTo, reachableNow } from './push.ts';
import { readersOf } from './store-settings.ts';

/** A colleague mentioned somebody, or gave them a conversation: their devices and their mail, as they wish. */
export async function tellOfTeam(ctx: TxCtx, said: EventData<typeof teamNews>): Promise<void> {
  const [person] = await readersOf(ctx.db.directory, ctx.companyId, [said.userId]);
  if (!person) return;
  const body = said.kind === 'mention' ? said.text : said.about;
  const title =
    said.kind === 'mention'
      ? `${said.byName} mentioned you`
      : `${said.byName} gave you a conversation`;
  const url = said.conversationId ? `/inbox/${said.conversationId}` : '/inbox';
  const awake = await reachableNow(ctx, [said.userId], said.kind, said.numberId);
  await pushTo(
    ctx,
    awake,
    ['web'],
    {
      kind: 'news',
      title,
      body: body.slice(0, 180),
      url,
      tag: `team-${said.key}`,
      data: { companyId: ctx.companyId, conversationId: said.conversationId, event: said.kind },
      ttlSeconds: 86_400,
    },
    `team:${ctx.companyId}:${said.key}:${said.userId}`,
  );
  if (said.conversationId)
    await noteForMail(ctx, [person], {
      kind: said.kind,
      numberId: said.numberId,
      conversationId: said.conversationId,
      line: { text: said.text, at: ctx.now.toISOString(), itemId: null, who: said.byName },
    });
}
