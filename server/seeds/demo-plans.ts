import { dental, garage, realty, type Trade } from './demo-vocabulary.ts';
import { officeWeek, shopWeek, type Rhythm } from './demo-week.ts';

/** One demo company: its trade, numbers, and how much history it has. */
export interface Plan {
  trade: Trade;
  rhythm: Rhythm;
  industry: string;
  numbers: readonly (readonly [string, string])[];
  contacts: number;
  messages: number;
  calls: number;
  areaCodes: readonly string[];
}
export const plans: readonly Plan[] = [
  {
    trade: dental,
    rhythm: { timezone: 'America/New_York', weekdays: officeWeek },
    industry: 'healthcare',
    contacts: 720,
    messages: 4500,
    calls: 2500,
    areaCodes: ['212', '646', '718', '917', '347', '201'],
    numbers: [
      ['+12125552300', 'Main line'],
      ['+16465552310', 'New patients'],
      ['+17185552320', 'Brooklyn office'],
      ['+12125552340', 'Billing desk'],
      ['+12125552350', 'Reminders'],
      ['+18005552337', 'Toll-free'],
    ],
  },
  {
    trade: garage,
    rhythm: { timezone: 'America/Chicago', weekdays: shopWeek },
    industry: 'retail',
    contacts: 300,
    messages: 1700,
    calls: 950,
    areaCodes: ['312', '773', '630', '847'],
    numbers: [
      ['+13125552400', 'Service desk'],
      ['+13125552410', 'Sales'],
      ['+17735552420', 'Parts'],
    ],
  },
  {
    trade: realty,
    rhythm: { timezone: 'America/Phoenix', weekdays: shopWeek },
    industry: 'real estate',
    contacts: 180,
    messages: 1000,
    calls: 550,
    areaCodes: ['602', '480', '623', '520'],
    numbers: [
      ['+16025552500', 'Main line'],
      ['+14805552510', 'Listings'],
      ['+18885552520', 'Toll-free'],
    ],
  },
];
