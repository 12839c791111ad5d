import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

/** A team was made, renamed or deleted, or its people changed. */
export const teamChanged = event<typeof payloads.teamChanged>({
  name: 'team.changed',
  channel: 'companies',
  invalidates: [
    ...['listTeams', 'getTeam', 'listCompanyUsers', 'getCompanyUser'],
    // Where routes that ring it are shown.
    ...['getNumber', 'getFlow', 'getFlowVersion', 'listNumberTemplates', 'getNumberTemplate'],
    // Where conversations are assigned to it.
    ...['listTeammates', 'listConversations', 'getConversation', 'listInboxViews'],
  ],
});
