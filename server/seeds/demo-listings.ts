import type { marketplace as contract } from '#contract';

type ItemRow = readonly [
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
const rows: readonly (readonly ItemRow[])[] = [
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
const toItem = ([
  number,
  vanity,
  words,
  tier,
  status,
  monthlyCents,
  industry,
  views,
  days,
]: ItemRow) => ({
  number,
  vanity,
  words,
  tier,
  status,
  monthlyCents,
  industry,
  views,
  /** Since it was listed. */
  days,
});

/** A vanity number of the demo and what is known about it. */
export type Item = ReturnType<typeof toItem>;

/** The vanity numbers each demo company offers, by the companies' order. */
export const inventories: readonly (readonly Item[])[] = rows.map((items) => items.map(toItem));
