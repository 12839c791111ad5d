import { contactOptedIn, contactOptedOut, optOutKnown } from '#contract/compliance';
import { on } from '../../platform/relay.ts';
import { markUnsubscribed } from './store.ts';

export const reactions = [
  on(contactOptedOut, 'mark-contact', async (ctx, said) => { await markUnsubscribed(ctx.tx, ctx.companyId, said.number, new Date(said.at)); }),
  on(contactOptedIn, 'unmark-contact', async (ctx, said) => { await markUnsubscribed(ctx.tx, ctx.companyId, said.number, null); }),
  on(optOutKnown, 'follow-ledger', async (ctx, said) => { await markUnsubscribed(ctx.tx, ctx.companyId, said.number, said.optedOutAt ? new Date(said.optedOutAt) : null); }),
];
