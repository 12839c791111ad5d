import { areaCodeOf, isTollFree } from '#contract';
import type { Tx } from '../src/platform/db.ts';
import type { SeedLease } from './demo-marketplace.ts';
import { idAt, insertInBatches, type SeedNumber } from './demo-rows.ts';

const DAY = 86_400_000;

/** Purchased numbers of a company, ninety days before `now`. */
export async function seedNumbers(
  tx: Tx,
  company_id: number,
  numbers: readonly SeedNumber[],
  now: Date,
) {
  const at = new Date(now.getTime() - 90 * DAY);
  const city: Record<string, [string, string]> = {
    212: ['New York', 'NY'],
    646: ['New York', 'NY'],
    718: ['Brooklyn', 'NY'],
    312: ['Chicago', 'IL'],
    773: ['Chicago', 'IL'],
    602: ['Phoenix', 'AZ'],
    480: ['Mesa', 'AZ'],
  };
  await tx
    .insertInto('number')
    .values(
      numbers.map((n) => {
        const tollFree = isTollFree(n.number);
        const area = areaCodeOf(n.number)!;
        return {
          company_id,
          id: n.id,
          number: n.number,
          label: n.label,
          category: tollFree ? 1 : 2,
          kind: 1,
          provider_id: 1,
          provider_ref: `sandbox-${n.number}`,
          area_code: area,
          city: city[area]?.[0] ?? '',
          region: city[area]?.[1] ?? '',
          rate_center: city[area]?.[0]?.toUpperCase() ?? '',
          routing_type: 'in-app-calling',
          record: true,
          recording_announcement: 'none',
          call_transcription_enabled: true,
          ai_eav_enabled: true,
          sms_verification_status: 'approved',
          monthly_price_cents: tollFree ? 500 : 200,
          purchased_at: at,
          created_at: at,
        };
      }),
    )
    .execute();
  await tx
    .insertInto('number_directory')
    .values(numbers.map((n) => ({ number: n.number, company_id, number_id: n.id })))
    .execute();
  await tx
    .insertInto('sandbox_order')
    .values(numbers.map((n) => ({ number: n.number, key: `demo-${n.number}` })))
    .execute();
}

/** A leased number belongs to the lessee's numbers, with routing, until the lease ends. */
export async function seedLeased(
  tx: Tx,
  lease: SeedLease,
  id: number,
  agents: readonly number[],
  timezone: string,
) {
  const { companyId: company_id, number, label, since } = lease;
  await seedNumbers(tx, company_id, [{ id, number, label }], since);
  await tx
    .updateTable('number')
    .set({
      vanity_text: label,
      monthly_price_cents: 0,
      purchased_at: since,
      created_at: since,
      lease_listing_id: lease.listingId,
      lease_ends_at: lease.ends,
      lease_monthly_cents: lease.monthlyCents,
      lease_term_months: lease.months,
    })
    .where('id', '=', id)
    .execute();
  await seedRouting(tx, company_id, [{ id, number, label }], agents, timezone, false);
  await insertInBatches(tx, 'number_event', [
    {
      company_id,
      id: idAt(since.getTime() + 1),
      number_id: id,
      type: 'purchased',
      actor_type: 'system',
      summary: `Leased on the marketplace for ${lease.months} months`,
      at: since,
      source: 'purchased',
    },
  ]);
  await tx.insertInto('number_activity').values({ company_id, number_id: id }).execute();
}

/**
 * The first number has a menu (1 the front desk, 2 a user's browser, 3 voicemail); the others ring
 * all browsers.
 */
export async function seedRouting(
  tx: Tx,
  company_id: number,
  numbers: readonly SeedNumber[],
  agents: readonly number[],
  timezone: string,
  menu = true,
) {
  const hours = { preset: 2, timezone, blocks: [], exceptions: [], voicemail: false };
  for (const [i, number] of numbers.entries()) {
    const routes =
      menu && i === 0 ? menuRoutes(agents) : [singleRoute(number, agents, i === 3 ? hours : null)];
    for (const r of routes) {
      const route = await tx
        .insertInto('route')
        .values({
          company_id,
          number_id: number.id,
          extension: r.extension,
          label: r.label,
          type: r.type,
          voicemail_enabled: true,
          timeout_seconds: 25,
          ...(r.business_hours ? { business_hours: JSON.stringify(r.business_hours) } : {}),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (r.users.length)
        await tx
          .insertInto('forward')
          .values(
            r.users.map((user_id, position) => ({
              company_id,
              route_id: route.id,
              position,
              user_id,
            })),
          )
          .execute();
    }
    if (menu && i === 0)
      await tx
        .insertInto('number_menu')
        .values({
          company_id,
          number_id: number.id,
          greeting:
            'Thank you for calling. For the front desk, press 1. For appointments, press 2. To leave a message, press 3.',
          fallback: '1',
        })
        .execute();
  }
}

const menuRoutes = (agents: readonly number[]): SeedRoute[] => [
  {
    extension: 1,
    label: 'Front desk',
    type: 'in-app-calling',
    users: agents,
    business_hours: null,
  },
  {
    extension: 2,
    label: 'Appointments',
    type: 'in-app-calling',
    users: agents,
    business_hours: null,
  },
  {
    extension: 3,
    label: 'Leave a message',
    type: 'voicemail',
    users: [],
    business_hours: null,
  },
];

const singleRoute = (
  number: SeedNumber,
  agents: readonly number[],
  business_hours: object | null,
): SeedRoute => ({
  extension: 1,
  label: number.label,
  type: 'in-app-calling',
  users: agents,
  business_hours,
});

interface SeedRoute {
  extension: number;
  label: string;
  type: 'in-app-calling' | 'voicemail';
  users: readonly number[];
  business_hours: object | null;
}
