import { numbers as contract, type Answer } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { notFound } from '../../platform/errors.ts';

/** Toll-free prefixes to search by; `8**` matches all. */
export const numberPrefixes = (): Answer<typeof contract.numberPrefixes> => ({
  data: [
    { prefix: '8**', label: 'Any toll-free', available: true },
    ...contract.tollFreePrefixes.map((prefix) => ({ prefix, label: prefix, available: true })),
  ],
});

/** Patterns that the search suggests. */
export const vanityPatterns = (): Answer<typeof contract.vanityPatterns> => ({
  data: contract.savedPatterns.map((p) => ({ ...p })),
});

/** An area code's place and the codes that overlay it. Fails with 404. */
export function areaCodeOverlays(areaCode: string): Answer<typeof contract.areaCodeOverlays> {
  const place = areaCodes().get(areaCode) ?? notFound();
  return {
    data: {
      areaCode,
      overlays: place.overlays,
      state: place.state,
      region: place.stateName,
      timezone: place.timezone,
    },
  };
}
