import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { contactsOfForwards, insertAttempts, targetsByIds } from './store.ts';

/** What routing asks of a forwarding contact that a route names. */
export interface ContactTarget {
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
export async function whereContactsLead(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  { hold = false } = {},
): Promise<Map<number, ContactTarget>> {
  const rows = await targetsByIds(tx, companyId, ids, hold);
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
export async function countAttempts(
  ctx: TxCtx,
  rung: { at: string; legs: readonly { leg: string; forwardId: number; answered: boolean }[] },
): Promise<void> {
  const contacts = await contactsOfForwards(
    ctx.tx,
    ctx.companyId,
    rung.legs.map((leg) => leg.forwardId),
  );
  const attempts = rung.legs.flatMap((leg) => {
    const contact_id = contacts.get(leg.forwardId);
    return contact_id === undefined
      ? []
      : [{ contact_id, leg: leg.leg, at: new Date(rung.at), answered: leg.answered }];
  });
  await insertAttempts(ctx.tx, ctx.companyId, attempts);
}
