import { faxStatusChanged } from '#contract/fax/events';
import type { FaxState } from '#contract/fax/rules';
import type { TxCtx } from '../../platform/context.ts';
import { publishConversationUpdated } from '../conversations/index.ts';
import { conversationById, refreshLatest } from '../conversations/index.ts';
import { updateItem, itemById } from '../conversations/index.ts';
import { faxItemDetails } from './present.ts';
import { isFinal, canTransition, stateOf, faxErrorText } from './rules.ts';
import { updateFax, faxById, type FaxPatch, type FaxRow } from './store.ts';

/** Updates the fax's conversation item and publishes the change. */
export async function publishFax(t: TxCtx, fax: FaxRow): Promise<void> {
  const conversation =
    fax.conversation_id &&
    (await conversationById(t.tx, t.companyId, fax.conversation_id, null, true));
  const item = fax.item_id && (await itemById(t.tx, t.companyId, fax.item_id, true));
  if (!conversation || !item) return;
  const changed = await updateItem(t.tx, t.companyId, item.id, {
    details: JSON.stringify(faxItemDetails(fax)),
  });
  await publishConversationUpdated(t, 'item_updated', await refreshLatest(t.tx, changed), changed);
}

interface FaxStatusUpdate {
  state: FaxState;
  code: string | null;
  providerId?: string | undefined;
  /** The attempt a report belongs to; reports of earlier attempts are ignored. */
  attempt?: number | undefined;
}
/**
 * Stores a fax's new status, forward only, and publishes it. Late and duplicate reports change
 * nothing.
 */
export async function updateFaxStatus(
  t: TxCtx,
  faxId: number,
  update: FaxStatusUpdate,
  changes: FaxPatch = {},
): Promise<void> {
  const row = await faxById(t.tx, t.companyId, faxId, null, true);
  if (!row || (update.attempt !== undefined && update.attempt !== row.attempts)) return;
  const provider =
    update.providerId && row.provider_id === null ? { provider_id: update.providerId } : {};
  if (!canTransition(stateOf(row.state), update.state)) {
    if (provider.provider_id || Object.keys(changes).length)
      await updateFax(t.tx, t.companyId, row.id, { ...changes, ...provider });
    return;
  }
  const fax = await updateFax(t.tx, t.companyId, row.id, {
    ...changes,
    ...provider,
    state: update.state,
    error_code: update.code,
    error_text: faxErrorText(update.code),
    ended_at: isFinal(update.state) ? t.now : null,
  });
  await publishFax(t, fax);
  if (fax.outgoing)
    await t.publish(
      faxStatusChanged,
      {
        faxId: fax.id,
        numberId: fax.number_id,
        party: fax.party,
        conversationId: fax.conversation_id,
        pages: fax.pages,
        state: update.state,
        errorCode: update.code,
      },
      { numberId: fax.number_id },
    );
}
