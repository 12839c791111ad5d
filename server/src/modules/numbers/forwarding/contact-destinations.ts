import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { contactsOfForwards, insertAttempts, destinationsByIds } from './store.ts';

/** What routing asks of a forwarding contact that a route names. */
export interface ContactDestination {
  /** The one that answers now: another one when it was replaced. */
  id: number;
  name: string;
  number: string | null;
  user_id: number | null;
  /** Dialled once it answers; null = nothing. */
  extension: string | null;
  caller_id_pass_thru: boolean;
  /** null = as the route says. */
  confirm_key: string | null;
  schedule_id: number | null;
  timezone: string | null;
}

/** By the id that a route names. Whoever is missing is gone. `hold`: they stay until this transaction ends. */
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

/** A call ended: count for each contact that was rung whether it answered. */
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
