import { inAppCalling } from '#contract/calls/events';
import { conversationUpdated } from '#contract/conversations/events';
import { faxReceived } from '#contract/fax/events';
import { teamNotification } from '#contract/conversations/team/events';
import { ssoEmergencyUsed } from '#contract/identity/external-sign-in/events';
import { sessionRevoked } from '#contract/identity/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { removeDevicesOfSessions } from './devices.ts';
import { notifyOfTeamEvent } from './on-team-events.ts';
import { hasNotificationTargets } from './notification-targets.ts';
import { enqueueFaxMail } from './mail-fax.ts';
import { pushToOwners } from './push-to-owners.ts';
import { notificationOf, pushCall, pushNotification } from './push.ts';

export const subscribers = [
  subscribe(sessionRevoked, 'forget-devices', removeDevicesOfSessions),
  subscribe(inAppCalling, 'push-call', pushCall, {
    when: (event, companyId) => event.type === 'ringing' && hasNotificationTargets(companyId),
  }),
  subscribe(conversationUpdated, 'push-news', pushNotification, {
    when: (event, companyId) => hasNotificationTargets(companyId) && notificationOf(event) !== null,
  }),
  subscribe(ssoEmergencyUsed, 'push-to-owners', pushToOwners),
  subscribe(faxReceived, 'mail-fax', enqueueFaxMail),
  subscribe(teamNotification, 'tell-person', notifyOfTeamEvent),
];
