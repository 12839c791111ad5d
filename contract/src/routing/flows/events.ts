import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A draft was kept, thrown away or published, or a version rolled back. */
export const flowChanged = event<typeof payloads.flowChanged>({
  name: 'flow.changed',
  channel: 'companies',
  touches: ['getFlow', 'listFlowVersions', 'getFlowVersion'],
  about: ['numberId'],
});
