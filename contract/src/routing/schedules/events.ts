import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** Hours were changed: calls that start from now on follow them. */
export const scheduleChanged = event<typeof payloads.scheduleChanged>({
  name: 'schedule.changed',
  channel: 'companies',
  touches: ['getSchedule', 'previewSchedule'],
});
