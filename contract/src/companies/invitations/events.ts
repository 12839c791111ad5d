import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const invitationChanged = event<typeof payloads.invitationChanged>({
  name: 'invitation.changed',
  channel: 'companies',
  invalidates: ['listInvitations'],
});
