import { connectionChanged } from '#contract/connections/events';
import { callEnded, callUpdated } from '#contract/calls/events';
import { conversationUpdated } from '#contract/conversations/events';
import { integrationsChanged } from '#contract/integrations/events';
import { eventsOfCall, type DeliveryEvent } from '#contract/integrations/rules';
import { subscribe } from '../../platform/outbox-relay.ts';
import { callsForRules } from '../calls/index.ts';
import { forgetAccount } from './accounts/remove-account.ts';
import { patchAccount } from './accounts/store-accounts.ts';
import { deliversAnything, heedCompany } from './delivering-companies.ts';
import { collect } from './deliveries/collect.ts';
import { correct, correctable } from './deliveries/correct.ts';
import { readAhead } from './deliveries/load-facts.ts';

/** What a person changed in a call that destinations may ask for. */
const changes: Readonly<Record<string, DeliveryEvent>> = {
  qualified: 'qualified',
  lead: 'lead',
  outcome_tags: 'outcome_tag',
};

// A delivery goes before those of later events of its object, so it must be queued before them.
const ofCall = ({ callId }: { callId: number }): string => `call-${callId}`;

export const subscribers = [
  subscribe(
    connectionChanged,
    'forget-account',
    (t, { connectionId }) => forgetAccount(t, connectionId),
    {
      when: ({ connected }) => !connected,
    },
  ),
  subscribe(
    connectionChanged,
    'read-account-anew',
    // What wasn't allowed is tried at once, not when the next reading would be.
    async (t, { connectionId }) => {
      await patchAccount(t.tx, t.companyId, connectionId, { read_due_at: null });
    },
    { when: ({ connected }) => connected },
  ),
  subscribe(integrationsChanged, 'heed-company', async () => {}, {
    // Needs no job: the relay itself must know before it reads the next event.
    when: (_, companyId) => {
      heedCompany(companyId);
      return false;
    },
  }),
  subscribe(
    callEnded,
    'deliver-call',
    (t, { callId, outcome }, seq) =>
      collect(t, eventsOfCall(outcome), { type: 'call', id: callId }, seq),
    { when: (_, companyId) => deliversAnything(companyId), inOrderOf: ofCall },
  ),
  subscribe(
    callUpdated,
    'deliver-change',
    async (t, { callId, changed }, seq) => {
      const [call] = await callsForRules(t.tx, t.companyId, { ids: [callId] });
      if (!call?.ended_at) return;
      const holds = {
        qualified: call.qualified,
        lead: call.lead,
        outcome_tag: call.outcome_tags.length > 0,
      };
      // What was taken back meanwhile isn't told.
      const events = changed.flatMap((field) => changes[field] ?? []);
      await collect(
        t,
        events.filter((event) => holds[event as keyof typeof holds]),
        { type: 'call', id: callId },
        seq,
      );
    },
    {
      when: ({ changed }, companyId) =>
        deliversAnything(companyId) && changed.some((field) => changes[field]),
      inOrderOf: ofCall,
    },
  ),
  subscribe(callUpdated, 'correct-deliveries', (t, { callId }, seq) => correct(t, callId, seq), {
    when: ({ changed }, companyId) =>
      deliversAnything(companyId) && changed.some((field) => correctable.has(field)),
    inOrderOf: ofCall,
  }),
  subscribe(
    conversationUpdated,
    'deliver-item',
    async (t, { item }, seq) => {
      if (!item) return;
      const event = item.kind === 'form' ? 'form' : 'message.received';
      await collect(t, [event], { type: 'item', id: item.id }, seq);
    },
    {
      when: ({ reason, item }, companyId) =>
        reason === 'new_item' &&
        item?.isInbound === true &&
        (item.kind === 'message' || item.kind === 'form') &&
        deliversAnything(companyId),
      inOrderOf: ({ conversationId }) => `conversation-${conversationId}`,
      readAhead: (t, many) =>
        readAhead(
          t,
          many.flatMap(({ item }) => item?.id ?? []),
        ),
    },
  ),
];
