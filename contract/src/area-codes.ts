import { areaCodeLines } from './area-codes.data.ts';
import { areaCodeOf, isTollFree } from './phone.ts';

/** What an area code tells: a hint where a number belongs, never where its phone is. */
export interface AreaCode { code: string; state: string; stateName: string; country: 'US' | 'CA'; timezone: string; /** Codes that serve the same places. */ overlays: string[]; /** Main places, the most numerous first. */ cities: string[] }

export const stateNames: Readonly<Record<string, string>> = {
  AL: 'Alabama', AK: 'Alaska', AZ: 'Arizona', AR: 'Arkansas', CA: 'California', CO: 'Colorado', CT: 'Connecticut', DE: 'Delaware', DC: 'District of Columbia', FL: 'Florida', GA: 'Georgia', HI: 'Hawaii', ID: 'Idaho', IL: 'Illinois', IN: 'Indiana', IA: 'Iowa', KS: 'Kansas', KY: 'Kentucky', LA: 'Louisiana', ME: 'Maine',
  MD: 'Maryland', MA: 'Massachusetts', MI: 'Michigan', MN: 'Minnesota', MS: 'Mississippi', MO: 'Missouri', MT: 'Montana', NE: 'Nebraska', NV: 'Nevada', NH: 'New Hampshire', NJ: 'New Jersey', NM: 'New Mexico', NY: 'New York', NC: 'North Carolina', ND: 'North Dakota', OH: 'Ohio', OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania',
  PR: 'Puerto Rico', RI: 'Rhode Island', SC: 'South Carolina', SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah', VT: 'Vermont', VA: 'Virginia', WA: 'Washington', WV: 'West Virginia', WI: 'Wisconsin', WY: 'Wyoming',
  AB: 'Alberta', BC: 'British Columbia', MB: 'Manitoba', NB: 'New Brunswick', NL: 'Newfoundland and Labrador', NS: 'Nova Scotia and Prince Edward Island', NT: 'Northern territories', ON: 'Ontario', QC: 'Quebec', SK: 'Saskatchewan',
};
const canadian = new Set(['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'ON', 'QC', 'SK']);

let table: Map<string, AreaCode> | null = null;
/** Every area code by its three digits. Read once, on first use. */
export function areaCodes(): ReadonlyMap<string, AreaCode> {
  table ??= new Map(areaCodeLines.trim().split('\n').map((line) => {
    const [code, state, timezone, overlays, cities] = line.split('|') as [string, string, string, string, string];
    return [code, { code, state, stateName: stateNames[state] ?? state, country: canadian.has(state) ? 'CA' : 'US', timezone, overlays: overlays.split(' ').filter(Boolean), cities: cities.split(';').filter(Boolean) }];
  }));
  return table;
}

/** The area code of a North American number, null for toll-free and foreign ones. */
export function placeOfNumber(e164: string): AreaCode | null {
  const code = areaCodeOf(e164);
  return code === null || isTollFree(e164) ? null : (areaCodes().get(code) ?? null);
}
