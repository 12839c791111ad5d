import { numbers as contract, type Answer } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { notFound } from '../../platform/errors.ts';

export const numberPrefixes = (): Answer<typeof contract.numberPrefixes> => ({
  data: [
    { prefix: '8**', label: 'Any toll-free', available: true },
    ...contract.tollFreePrefixes.map((prefix) => ({ prefix, label: prefix, available: true })),
  ],
});

export const vanityPatterns = (): Answer<typeof contract.vanityPatterns> => ({
  data: contract.savedPatterns.map((p) => ({ ...p })),
});

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
