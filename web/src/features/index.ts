import { declareScreens } from '../shared/declared-screens.ts';
import { features } from './all.ts';

export { features };
export const screens = features.flatMap((feature) => feature.screens);
declareScreens(screens);
