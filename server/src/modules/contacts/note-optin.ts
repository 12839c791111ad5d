import type { EventData, triggers } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { contactsByNumber, patchContact } from './store.ts';

/** Somebody texted a keyword that asks for texts: how they came to it stands on their contact. The proof itself is kept with the number. */
export async function noteOptin(
  ctx: TxCtx,
  heard: EventData<typeof triggers.keywordHeard>,
): Promise<void> {
  if (!heard.setOptin) return;
  for (const contact of await contactsByNumber(ctx.tx, ctx.companyId, [heard.party]))
    if (contact.optin_type === null)
      await patchContact(
        ctx.tx,
        ctx.companyId,
        contact.id,
        { optin_type: 'text_to_join', optin_source: `Texted ${heard.keyword} to ${heard.number}` },
        ctx.now,
      );
}
