import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** The company's own sources were added, changed, reordered or deleted. */
export const sourcesChanged = event<typeof payloads.sourcesChanged>({
  name: 'tracking_sources.changed',
  channel: 'companies',
  invalidates: ['listSources'],
});
