/** What other features may use of this one. */
export { industries } from './industries.ts';
export { zoneOptions } from './zones.ts';
