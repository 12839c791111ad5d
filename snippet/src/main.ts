/**
 * The script that customers put on their pages (decisions A8.3). It knows the visit: who comes, with
 * which campaign parameters, on which page first. It asks no server and changes no number yet: both
 * come with the tracking module.
 */
import { createVisit } from './visit.ts';

const visit = createVisit();
visit.begin();

/** See `createVisit`: stores the visit from now on, or forgets it. */
export const consent = visit.consent;
/** See `createVisit`: the visit as it is known on this page. */
export const session = visit.session;
