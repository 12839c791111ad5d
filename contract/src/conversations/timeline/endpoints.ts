import { endpoint } from '../../kit.ts';
import type * as operations from './operations.ts';

export const contactTimeline = endpoint<typeof operations.contactTimeline>({
  name: 'contactTimeline',
  method: 'GET',
  path: '/contacts/{contactId}/timeline',
  permission: 'contacts.view',
  company: 'object',
});
