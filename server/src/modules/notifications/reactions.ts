import { inAppCalling } from '#contract/calls';
import { conversationUpdated } from '#contract/conversations';
import { faxReceived } from '#contract/fax';
import { teamNews } from '#contract/teamwork';
import { sessionRevoked } from '#contract/identity';
import { on } from '../../platform/relay.ts';
import { forgetSessions } from './devices.ts';
import { tellOfTeam } from './hear-team.ts';
import { isListening } from './listening.ts';
import { mailAboutFax } from './mail-fax.ts';
import { newsOf, pushCall, pushNews } from './push.ts';

export const reactions = [
  on(sessionRevoked, 'forget-devices', forgetSessions),
  on(inAppCalling, 'push-call', pushCall, {
    when: (said, companyId) => said.type === 'ringing' && isListening(companyId),
  }),
  on(conversationUpdated, 'push-news', pushNews, {
    when: (said, companyId) => isListening(companyId) && newsOf(said) !== null,
  }),
  on(faxReceived, 'mail-fax', mailAboutFax),
  on(teamNews, 'tell-person', tellOfTeam),
];
