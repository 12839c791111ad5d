import type { Job } from './jobs.ts';
import type { OwnDetails } from './masking/contact-details.ts';
import type { Subscriber } from './outbox-relay.ts';
import type { Retention } from './retention-rule.ts';
import type { Routes } from './routes.ts';

/** What an installation runs of a module: `module.ts` in its folder exports it. */
export interface Module {
  routes?: Routes;
  /** What events of earlier modules, and its own, lead to. */
  subscribers?: readonly Subscriber[];
  /** Its jobs, with those that the clock starts. */
  jobs?: readonly Job[];
  /** Every table it owns, and how long it keeps the rows. Undefined: it owns none. */
  retention?: Retention;
  /** Which numbers and emails are the company's own; the others are masked for some people. */
  ownDetails?: OwnDetails;
}
