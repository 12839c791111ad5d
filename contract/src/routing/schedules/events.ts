import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** Hours changed; they apply to calls that start from now on. */
export const scheduleChanged = event<typeof payloads.scheduleChanged>({
  name: 'schedule.changed',
  channel: 'companies',
  invalidates: [
    ...['getSchedule', 'previewSchedule'],
    ...['getAvailability', 'listCallingUsers', 'callDestinations'],
  ],
});
