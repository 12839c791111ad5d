import { isTollFree, marketplace as contract } from '#contract';
import { leaseEndDate } from '../src/modules/marketplace/end-lease.ts';
import type { Tx } from '../src/platform/db.ts';
import { idAt, insertInBatches } from './demo-rows.ts';

const DAY = 86_400_000;

type Item = readonly [
  number: string,
  vanity: string,
  words: string[],
  tier: string,
  status: contract.MarketplaceStatus,
  monthlyCents: number,
  industry: string,
  views: number,
  days: number,
];
const inventories: readonly (readonly Item[])[] = [
  [
    ['+18885553368', '888-555-DENT', ['DENT'], 'premium', 'listed', 9900, 'healthcare', 42, 34],
    [
      '+18775552273',
      '877-555-CARE',
      ['CARE'],
      'premium',
      'under_offer',
      12_900,
      'healthcare',
      57,
      28,
    ],
    ['+18665557645', '866-555-SMIL', ['SMIL'], 'standard', 'listed', 4900, 'healthcare', 18, 20],
    ['+18555554357', '855-555-HELP', ['HELP'], 'exclusive', 'leased', 24_900, 'insurance', 91, 84],
    ['+12125557665', '212-555-POOL', ['POOL'], 'standard', 'draft', 2900, 'construction', 0, 3],
    [
      '+18445552277',
      '844-555-CARS',
      ['CARS'],
      'standard',
      'withdrawn',
      3900,
      'transportation',
      9,
      75,
    ],
  ],
  [
    ['+18335552886', '833-555-AUTO', ['AUTO'], 'premium', 'listed', 8900, 'transportation', 23, 15],
    ['+13125557687', '312-555-ROUT', ['ROUT'], 'standard', 'listed', 2400, 'transportation', 6, 8],
  ],
  [
    [
      '+18885554663',
      '888-555-HOME',
      ['HOME'],
      'exclusive',
      'listed',
      29_900,
      'real estate',
      48,
      22,
    ],
    ['+16025557368', '602-555-RENT', ['RENT'], 'standard', 'listed', 3400, 'real estate', 11, 12],
  ],
];
/** A number that a company leases. */
export interface SeedLease {
  companyId: number;
  number: string;
  label: string;
  listingId: number;
  monthlyCents: number;
  months: number;
  since: Date;
  ends: Date;
}
/**
 * Vanity inventory of the demo companies: listed, under offer and leased, with inquiries. Returns
 * the leases.
 */
export async function seedMarketplace(
  tx: Tx,
  companies: readonly { id: number; name: string }[],
  userName: string,
  now: Date,
): Promise<SeedLease[]> {
  const leases: SeedLease[] = [];
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  // So close to its end that it can be renewed.
  const [leasedDays, leaseMonths] = [75, 3];
  const leaseEnds = leaseEndDate(ago(leasedDays), leaseMonths);
  for (const [c, items] of inventories.entries()) {
    const company = companies[c];
    if (!company) return leases;
    for (const [
      i,
      [number, vanity, words, tier, status, monthly, industry, views, days],
    ] of items.entries()) {
      const [category, id] = [
        isTollFree(number) ? ('toll_free' as const) : ('local' as const),
        idAt(now.getTime() - 80 * DAY + c * 100_000 + i * 1000),
      ];
      const leased = status === 'leased';
      const other = companies[(c + 1) % companies.length]!;
      if (leased)
        leases.push({
          companyId: other.id,
          number,
          label: vanity,
          listingId: id,
          monthlyCents: monthly,
          months: leaseMonths,
          since: ago(leasedDays),
          ends: leaseEnds,
        });
      await insertInBatches(tx, 'marketplace_number', [
        {
          company_id: company.id,
          id,
          number,
          vanity_text: vanity,
          words,
          category,
          area_code: number.slice(2, 5),
          region:
            category === 'local'
              ? (({ 212: 'NY', 312: 'IL', 602: 'AZ' } as Record<string, string>)[
                  number.slice(2, 5)
                ] ?? '')
              : '',
          tier,
          status,
          monthly_cents: monthly,
          minimum_term_months: leased ? leaseMonths : 12,
          minimum_offer_cents: Math.round(monthly * 0.7),
          industries: [industry],
          description: `Easy to remember on the radio or the side of a van. Lease ${vanity} for your area.`,
          seo_slug: vanity.toLowerCase(),
          featured: tier !== 'standard',
          resp_org: category === 'toll_free' ? 'TRK01' : null,
          contact_email: 'owner@demo.test',
          legal_notice: contract.defaultNotice(category),
          listed_at: status === 'draft' ? null : ago(days),
          first_listed_at: status === 'draft' ? null : ago(days),
          withdrawn_at: status === 'withdrawn' ? ago(10) : null,
          ...(leased
            ? {
                leased_at: ago(leasedDays),
                lessee_company_id: other.id,
                lessee_name: other.name,
                lease_monthly_cents: monthly,
                lease_term_months: leaseMonths,
                lease_ends_at: leaseEnds,
              }
            : {}),
          created_at: ago(days + 2),
          updated_at: ago(1),
        },
      ]);
      if (!leased)
        await insertInBatches(tx, 'sandbox_order', [{ number, key: `marketplace-${number}` }]);
      if (views)
        await insertInBatches(
          tx,
          'marketplace_view',
          Array.from({ length: views }, (_, v) => ({
            company_id: company.id,
            marketplace_id: id,
            day: ago((v * 7) % Math.max(1, days))
              .toISOString()
              .slice(0, 10),
            visitor: `demo-${v}`,
            at: ago((v * 7) % Math.max(1, days)),
          })),
        );
      const events = [
        ['created', 'Added to the marketplace as a draft.', 'draft', days + 2],
        ...(status === 'draft' ? [] : [['status', 'Listed.', 'listed', days]]),
        ...(leased
          ? [['status', `Leased to ${other.name} for ${leaseMonths} months.`, 'leased', leasedDays]]
          : []),
        ...(status === 'withdrawn' ? [['status', 'Withdrawn.', 'withdrawn', 10]] : []),
      ] as [string, string, string, number][];
      await insertInBatches(
        tx,
        'marketplace_event',
        events.map(([kind, text, at, d], e) => ({
          company_id: company.id,
          id: idAt(now.getTime() - 79 * DAY + c * 100_000 + i * 1000 + e),
          marketplace_id: id,
          kind,
          text,
          status: at,
          by_name: userName,
          at: ago(d),
        })),
      );
      if (views > 20)
        await insertInBatches(tx, 'marketplace_inquiry', [
          {
            company_id: company.id,
            marketplace_id: id,
            name: 'Nora Field',
            email: 'nora@field.test',
            message: `Is ${vanity} available in the Northeast?`,
            at: ago(5),
          },
        ]);
      if (status === 'under_offer')
        await insertInBatches(tx, 'marketplace_offer', [
          {
            company_id: company.id,
            marketplace_id: id,
            buyer_company_id: other.id,
            buyer_name: other.name,
            buyer_email: 'owner@demo.test',
            amount_cents: Math.round(monthly * 0.9),
            term_months: 24,
            message: 'Two years, if you can come down a little on price.',
            created_at: ago(2),
            expires_at: ago(-12),
          },
        ]);
    }
  }
  return leases;
}
