import { carrierAccountChanged } from '#contract/carriers';
import { companyChanged } from '#contract/companies';
import { contactOptedOut } from '#contract/compliance';
import { conversationUpdated } from '#contract/conversations';
import { on } from '../../platform/relay.ts';
import { countLeft, countReply } from './count-answers.ts';
import { followHours } from './hours.ts';
import { wakeWaiting } from './store.ts';

export const reactions = [
  on(conversationUpdated, 'count-replies', countReply, {
    when: (u) => u.reason === 'new_item' && u.item?.kind === 'message' && u.item.isInbound,
  }),
  on(contactOptedOut, 'count-leavers', countLeft),
  on(
    carrierAccountChanged,
    'go-on-with-campaigns',
    (ctx) => ctx.transaction((t) => wakeWaiting(t.tx, t.companyId, t.now)),
    { when: (account) => account.working },
  ),
  on(companyChanged, 'campaign-hours', (ctx) => ctx.transaction(followHours)),
];
