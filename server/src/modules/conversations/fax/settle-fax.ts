import { faxMoved, type FaxState } from '#contract/fax';
import type { TxCtx } from '../../../platform/context.ts';
import { sayUpdated } from '../say-updated.ts';
import { conversationById, refreshLatest } from '../store.ts';
import { changeItem, itemById } from '../store-items.ts';
import { itemDetails } from './present.ts';
import { isOver, movesOn, stateOf, troubleText } from './rules.ts';
import { changeFax, faxById, type FaxChange, type FaxRow } from './store-fax.ts';

/** Bring the fax's item in line with it, and show it to everyone who sees the conversation. */
export async function showFax(t: TxCtx, fax: FaxRow): Promise<void> {
  const conversation =
    fax.conversation_id &&
    (await conversationById(t.tx, t.companyId, fax.conversation_id, null, true));
  const item = fax.item_id && (await itemById(t.tx, t.companyId, fax.item_id, true));
  if (!conversation || !item) return;
  const changed = await changeItem(t.tx, t.companyId, item.id, {
    details: JSON.stringify(itemDetails(fax)),
  });
  await sayUpdated(t, 'item_updated', await refreshLatest(t.tx, changed), changed);
}

export interface FaxOutcome {
  state: FaxState;
  code: string | null;
  providerId?: string | undefined;
  /** A report of an earlier attempt changes nothing. */ attempt?: number | undefined;
}
/** Write what became of a fax, forward only, and say it. A report that comes late or twice changes nothing. */
export async function settleFax(
  t: TxCtx,
  faxId: number,
  outcome: FaxOutcome,
  more: FaxChange = {},
): Promise<void> {
  const row = await faxById(t.tx, t.companyId, faxId, null, true);
  if (!row || (outcome.attempt !== undefined && outcome.attempt !== row.attempts)) return;
  const provider =
    outcome.providerId && row.provider_id === null ? { provider_id: outcome.providerId } : {};
  if (!movesOn(stateOf(row.state), outcome.state)) {
    if (provider.provider_id || Object.keys(more).length)
      await changeFax(t.tx, t.companyId, row.id, { ...more, ...provider });
    return;
  }
  const fax = await changeFax(t.tx, t.companyId, row.id, {
    ...more,
    ...provider,
    state: outcome.state,
    error_code: outcome.code,
    error_text: troubleText(outcome.code),
    ended_at: isOver(outcome.state) ? t.now : null,
  });
  await showFax(t, fax);
  if (fax.outgoing)
    await t.say(
      faxMoved,
      {
        faxId: fax.id,
        numberId: fax.number_id,
        party: fax.party,
        conversationId: fax.conversation_id,
        pages: fax.pages,
        state: outcome.state,
        errorCode: outcome.code,
      },
      { numberId: fax.number_id },
    );
}
