import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { contactsOfForwards, insertAttempts, destinationsByIds } from './store.ts';

/** Where a forwarding contact leads, for a route that refers to it. */
export interface ContactDestination {
  /** The current contact: its replacement, if it was replaced. */
  id: number;
  name: string;
  number: string | null;
  user_id: number | null;
  /** Dialed after the call is answered; null: nothing. */
  extension: string | null;
  caller_id_pass_thru: boolean;
  /** Key that the callee presses to accept the call; null: as the route says. */
  confirm_key: string | null;
  schedule_id: number | null;
  timezone: string | null;
}

/**
 * Destinations by the contact ID that routes refer to. Missing: the contact was deleted without a
 * replacement. `hold` locks them (`for key share`) until the transaction ends.
 */
export async function contactDestinations(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  { hold: lock = false } = {},
): Promise<Map<number, ContactDestination>> {
  const rows = await destinationsByIds(tx, companyId, ids, lock);
  return new Map(
    rows.map((row) => [
      row.named,
      {
        id: row.id,
        name: row.name,
        number: row.phone,
        user_id: row.user_id,
        extension: row.extension || null,
        caller_id_pass_thru: row.caller_id_pass_thru,
        confirm_key: row.confirm_key,
        schedule_id: row.schedule_id,
        timezone: row.timezone,
      },
    ]),
  );
}

/** Counts the attempts of an ended call for each forwarding contact it rang. */
export async function recordForwardAttempts(
  ctx: TxCtx,
  event: { at: string; legs: readonly { leg: string; forwardId: number; answered: boolean }[] },
): Promise<void> {
  const contacts = await contactsOfForwards(
    ctx.tx,
    ctx.companyId,
    event.legs.map((leg) => leg.forwardId),
  );
  const attempts = event.legs.flatMap((leg) => {
    const contact_id = contacts.get(leg.forwardId);
    return contact_id === undefined
      ? []
      : [{ contact_id, leg: leg.leg, at: new Date(event.at), answered: leg.answered }];
  });
  await insertAttempts(ctx.tx, ctx.companyId, attempts);
}
