import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A draft was saved, discarded or published, or a version restored. */
export const flowChanged = event<typeof payloads.flowChanged>({
  name: 'flow.changed',
  channel: 'companies',
  invalidates: ['getFlow', 'listFlowVersions', 'getFlowVersion'],
  about: ['numberId'],
});
