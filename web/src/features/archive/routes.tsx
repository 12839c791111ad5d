import type { Feature } from '../feature.ts';

export const archive: Feature = { screens: [] };
