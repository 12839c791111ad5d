import { sql } from 'kysely';
import { lackingFeatures, plans, planIds } from '#contract/billing/rules';
import type { Tx } from '../../../platform/db.ts';

// The system role: compares all companies with their plans.

/**
 * Companies whose row doesn't say what their plan allows: the catalogue or BILLING changed, or an
 * event was lost. `isOff`: no plan holds.
 */
export const companiesBesidePlan = async (
  tx: Tx,
  { isOff, most }: { isOff: boolean; most: number },
): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select c.id from company c
        left join subscription s on s.company_id = c.id and s.state <> 'not_subscribed'
          and c.kind <> 'caddy' and not ${isOff}::boolean
        left join unnest(${[...planIds]}::text[],
          ${planIds.map((id) => plans[id].included.seats)}::int[],
          ${planIds.map((id) => lackingFeatures(plans[id].features).join())}::text[]
        ) p (id, seats, lacks) on p.id = s.plan
      where c.plan_seats is distinct from p.seats
        or c.plan_lacks <> coalesce(string_to_array(nullif(p.lacks, ''), ','), '{}')
      order by c.id limit ${most}`.execute(tx)
  ).rows.map(({ id }) => id);
