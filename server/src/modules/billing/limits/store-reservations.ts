import { sql } from 'kysely';
import type { UsageComponent } from '#contract/billing/rules';
import type { Tx } from '../../../platform/db.ts';

/** What is promised of each component, without that of one cause. */
export const reservedOf = async (
  tx: Tx,
  companyId: number,
  except: string | null,
): Promise<{ component: UsageComponent; quantity: number }[]> =>
  (
    await sql<{ component: UsageComponent; quantity: number }>`
      select component, sum(quantity)::bigint as quantity from usage_reservation
      where company_id = ${companyId} and cause is distinct from ${except}
      group by component`.execute(tx)
  ).rows;

/** Promises so much of a component for a cause, instead of what was promised for it before. */
export const setReservation = (
  tx: Tx,
  companyId: number,
  reservation: { cause: string; component: UsageComponent; quantity: number; at: Date },
) =>
  sql`insert into usage_reservation (company_id, cause, component, quantity, created_at)
    values (${companyId}, ${reservation.cause}, ${reservation.component}, ${reservation.quantity},
      ${reservation.at})
    on conflict (company_id, cause) do update set quantity = excluded.quantity`.execute(tx);
