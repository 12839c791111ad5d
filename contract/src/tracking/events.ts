import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** The company's own sources were added, changed, reordered or deleted. */
export const sourcesChanged = event<typeof payloads.sourcesChanged>({
  name: 'tracking_sources.changed',
  channel: 'companies',
  invalidates: ['listSources'],
});

/** A pool was added, changed or deleted, or its numbers were. */
export const poolChanged = event<typeof payloads.poolChanged>({
  name: 'tracking_pool.changed',
  channel: 'companies',
  invalidates: [
    'listPools',
    'getPool',
    'listNumbersDatatable',
    'getNumber',
    'numberStats',
    'callAttribution',
    'numberTimelineMetaData',
    'fieldCountStats',
    'realTimeFeed',
  ],
});

/** A call or text to a tracking number arrived: where it came from, as it was known at that moment. */
export const matched = event<typeof payloads.matched>({
  name: 'tracking.matched',
  channel: 'companies',
  invalidates: ['callAttribution'],
  about: ['numberId'],
});

/** A visitor sent a form that becomes a lead. For other modules only: it holds what was written. */
export const formReceived = event<typeof payloads.formReceived>({
  name: 'tracking.form_received',
  channel: null,
  about: ['numberId'],
});

/** The script was switched off or on. */
export const scriptChanged = event<typeof payloads.scriptChanged>({
  name: 'tracking_script.changed',
  channel: 'companies',
  invalidates: ['getScript'],
});

/** A row of the live feed, at most so many a second of one company; the answer has all. */
export const dniFeed = event<typeof payloads.dniFeed>({
  name: 'dni-feed',
  channel: 'companies',
  permission: 'dni.view',
  invalidates: ['realTimeFeed', 'getScript'],
  about: ['numberId'],
});
