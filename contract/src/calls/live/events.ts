import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A value on the live board changed. */
export const liveCallChanged = event<typeof payloads.liveCallChanged>({
  name: 'call.live',
  channel: 'companies',
  invalidates: [
    'listLiveCalls',
    'callDestinations',
    'listParkedCalls',
    'getLiveCall',
    'getCall',
    'listCallingUsers',
  ],
  about: ['numberId'],
});
