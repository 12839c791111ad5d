/** The public API of this feature. */
export { industries, industryLabel } from './industries.ts';
export { zoneOptions } from '#ui/zones.ts';
