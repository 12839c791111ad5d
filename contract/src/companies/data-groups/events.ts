import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A data group was made, changed or deleted. Once for each administrator of the organization. */
export const dataGroupChanged = event<typeof payloads.dataGroupChanged>({
  name: 'data_group.changed',
  channel: 'users',
  invalidates: ['listDataGroups', 'getDataGroup'],
  about: ['userId'],
});
