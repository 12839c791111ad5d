/** The public API of this feature. */
export { industries } from './industries.ts';
export { zoneOptions } from './zones.ts';
