import { teamNotification } from '#contract/conversations/team/events';
import type { TxCtx } from '../../../platform/context.ts';
import { partyName } from '../present.ts';
import { conversationByParty } from '../store.ts';
import type { NoteRow } from '../store-notes.ts';
import { teammatesSeeing } from './teammates.ts';

/** Notifies each user mentioned in a note who sees the number it is about, except its author. */
export async function notifyMentioned(
  ctx: TxCtx,
  note: NoteRow,
  mentioned: readonly number[],
  parties: { number_id: number; party: string } | null,
): Promise<void> {
  const recipientIds = new Set(mentioned.filter((id) => id !== ctx.actor.userId));
  if (!recipientIds.size) return;
  const conversation = parties
    ? await conversationByParty(ctx.tx, ctx.companyId, parties.number_id, parties.party)
    : undefined;
  const about = conversation ? await partyName(ctx, conversation) : '';
  for (const mate of await teammatesSeeing(ctx, parties?.number_id ?? null))
    if (recipientIds.has(mate.id))
      await ctx.publish(
        teamNotification,
        {
          companyId: ctx.companyId,
          kind: 'mention',
          userId: mate.id,
          byName: ctx.actor.name,
          conversationId: conversation?.id ?? null,
          numberId: parties?.number_id ?? null,
          about,
          text: note.body.slice(0, 300),
          key: `mention:${note.id}`,
        },
        { userId: mate.id },
      );
}
