import { hasPermission, registerSearchProvider } from '#ui';
import { features } from '../features/index.ts';

const searches = features
  .flatMap((feature) => feature.searches ?? [])
  .sort((a, b) => a.order - b.order);

/** The palette's results besides screens: what the features find in the selected company. */
export function registerPaletteSearch(): () => void {
  const stops = searches.map(({ group, permission, find }) =>
    registerSearchProvider({
      group: group(),
      search: async (query, signal) => (hasPermission(permission) ? find(query, signal) : []),
    }),
  );
  return () => stops.forEach((stop) => stop());
}
