/**
 * The script that customers add to their pages (decisions A8.3). It records the visit: the visitor,
 * the campaign parameters and the landing page. It sends no requests and replaces no numbers yet;
 * both come with the tracking module.
 */
import { createVisit } from './visit.ts';

const visit = createVisit();
visit.begin();

/** See `createVisit`: stores the visit from now on, or forgets it. */
export const consent = visit.consent;
/** See `createVisit`: the visit as known on this page. */
export const session = visit.session;
