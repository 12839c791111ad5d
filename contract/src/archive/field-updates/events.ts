import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A file of custom fields was received, got ahead, ended or is being undone. */
export const fieldUpdateChanged = event<typeof payloads.fieldUpdateChanged>({
  name: 'field_update.changed',
  channel: 'companies',
  invalidates: ['listFieldUpdates', 'listOrganizationFieldUpdates'],
});
