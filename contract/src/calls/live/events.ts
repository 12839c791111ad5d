import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** Something the live board shows has changed. */
export const liveCallChanged = event<typeof payloads.liveCallChanged>({
  name: 'call.live',
  channel: 'companies',
  touches: [
    'listLiveCalls',
    'callDestinations',
    'listParkedCalls',
    'getLiveCall',
    'getCall',
    'listCallingUsers',
  ],
  about: ['numberId'],
});
