import { describe, expect, it } from 'vitest';
import { areaCodes, placeOfNumber, stateNames } from './area-codes.ts';

describe('area codes', () => {
  it('every code has a known state, a time zone that Intl knows, and a city', () => {
    expect(areaCodes().size).toBeGreaterThan(380);
    for (const a of areaCodes().values()) {
      expect(stateNames[a.state], a.code).toBeDefined();
      expect(
        () => new Intl.DateTimeFormat('en-US', { timeZone: a.timezone }),
        a.code,
      ).not.toThrow();
      expect(a.cities.length, a.code).toBeGreaterThan(0);
    }
  });
  it('overlays are mutual and in one state', () => {
    for (const a of areaCodes().values())
      for (const code of a.overlays) {
        expect(areaCodes().get(code)?.overlays, `${code} of ${a.code}`).toContain(a.code);
        expect(areaCodes().get(code)?.state).toBe(a.state);
      }
  });
  it('well-known codes have their state, zone and cities; toll-free and foreign numbers have none', () => {
    expect(placeOfNumber('+14155552368')).toMatchObject({
      state: 'CA',
      timezone: 'America/Los_Angeles',
      overlays: ['628'],
    });
    expect(placeOfNumber('+12125550147')).toMatchObject({ state: 'NY', cities: ['New York'] });
    expect(placeOfNumber('+19075550147')?.timezone).toBe('America/Anchorage');
    expect(placeOfNumber('+18005550147')).toBeNull();
    expect(placeOfNumber('+442079460000')).toBeNull();
  });
});
