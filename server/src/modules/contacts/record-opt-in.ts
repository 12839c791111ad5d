import type { EventData, triggers } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { contactsByNumber, patchContact } from './store.ts';

/** Records on the contact that it opted in by keyword. The proof is stored with the number. */
export async function recordOptIn(
  ctx: TxCtx,
  event: EventData<typeof triggers.keywordMatched>,
): Promise<void> {
  if (!event.setOptin) return;
  for (const contact of await contactsByNumber(ctx.tx, ctx.companyId, [event.party]))
    if (contact.optin_type === null)
      await patchContact(
        ctx.tx,
        ctx.companyId,
        contact.id,
        { optin_type: 'text_to_join', optin_source: `Texted ${event.keyword} to ${event.number}` },
        ctx.now,
      );
}
