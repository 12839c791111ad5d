import { teamNews } from '#contract/teamwork';
import type { TxCtx } from '../../../platform/context.ts';
import { nameOfRow } from '../present.ts';
import { conversationBetween } from '../store.ts';
import type { NoteRow } from '../store-notes.ts';
import { teammatesSeeing } from './teammates.ts';

/** Tell each colleague whom a note names, if they see the number it is about. Nobody is told of their own note. */
export async function tellMentioned(
  ctx: TxCtx,
  note: NoteRow,
  mentioned: readonly number[],
  sides: { number_id: number; party: string } | null,
): Promise<void> {
  const wanted = new Set(mentioned.filter((id) => id !== ctx.actor.userId));
  if (!wanted.size) return;
  const conversation = sides
    ? await conversationBetween(ctx.tx, ctx.companyId, sides.number_id, sides.party)
    : undefined;
  const about = conversation ? await nameOfRow(ctx, conversation) : '';
  for (const mate of await teammatesSeeing(ctx, sides?.number_id ?? null))
    if (wanted.has(mate.id))
      await ctx.say(
        teamNews,
        {
          companyId: ctx.companyId,
          kind: 'mention',
          userId: mate.id,
          byName: ctx.actor.name,
          conversationId: conversation?.id ?? null,
          numberId: sides?.number_id ?? null,
          about,
          text: note.body.slice(0, 300),
          key: `mention:${note.id}`,
        },
        { userId: mate.id },
      );
}
