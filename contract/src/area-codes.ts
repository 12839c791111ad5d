import { areaCodeLines } from './area-codes.data.ts';
import { areaCodeOf, isTollFree } from './phone.ts';
import { countryOfState, stateNames } from './states.ts';

export { stateNames };

/** Facts about an area code: where the number was issued, not where its phone is. */
export interface AreaCode {
  code: string;
  state: string;
  stateName: string;
  country: 'US' | 'CA';
  timezone: string;
  /** Codes that serve the same area. */
  overlays: string[];
  /** Main cities, the largest first. */
  cities: string[];
}

let table: Map<string, AreaCode> | null = null;
/** Every area code by its three digits; parsed on first use. */
export function areaCodes(): ReadonlyMap<string, AreaCode> {
  table ??= new Map(
    areaCodeLines
      .trim()
      .split('\n')
      .map((line) => {
        const [code, state, timezone, overlays, cities] = line.split('|') as [
          string,
          string,
          string,
          string,
          string,
        ];
        return [
          code,
          {
            code,
            state,
            stateName: stateNames[state] ?? state,
            country: countryOfState(state),
            timezone,
            overlays: overlays.split(' ').filter(Boolean),
            cities: cities.split(';').filter(Boolean),
          },
        ];
      }),
  );
  return table;
}

/** The area code of a North American number, null for toll-free and foreign ones. */
export function placeOfNumber(e164: string): AreaCode | null {
  const code = areaCodeOf(e164);
  return code === null || isTollFree(e164) ? null : (areaCodes().get(code) ?? null);
}
