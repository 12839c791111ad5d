import type { Conversation, Item, InboxItem } from '#contract/conversations/schemas';
import type { ItemKind } from '#contract/conversations/rules';
import { partyName as nameOfParty } from '#contract/party';
import type { TxCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { teamsById } from '../companies/index.ts';
import { matchesBlock, targetsMatching, textBlockReason } from '../compliance/index.ts';
import { contactsByIds } from '../contacts/index.ts';
import { presentDetails } from './item-details.ts';
import {
  loadListJoins,
  type ListJoins,
  type JoinedCaller,
  type JoinedContact,
} from './store-list-joins.ts';
import { pairKey } from './store-inbound.ts';
import { numbersByIds, type NumberSummary } from './store-numbers.ts';
import { type ConversationRow, type ItemRow } from './store.ts';

type Details = Record<string, unknown>;
const missingNumber = (id: number): NumberSummary => ({
  id,
  number: '',
  label: '',
  providerId: 0,
  providerRef: null,
  live: false,
  companyActive: true,
  companySuspended: false,
  smsEnabled: false,
  faxEnabled: false,
  verified: false,
  registered: false,
  afterHours: false,
});
const presentNumberSummary = (n: NumberSummary) => ({ id: n.id, number: n.number, label: n.label });

/** Lookups shared by callers that present many items. */
export interface PresentContext {
  numbers?: ReadonlyMap<number, NumberSummary>;
  joins?: ListJoins;
}
/** An item as the API returns it. */
export type PresentableItem = Pick<
  ItemRow,
  | 'id'
  | 'conversation_id'
  | 'number_id'
  | 'kind'
  | 'is_inbound'
  | 'created_at'
  | 'read_at'
  | 'actor_id'
  | 'actor_name'
  | 'details'
  | 'delivery_state'
>;

/** Items as the API returns them. Numbers that are gone stay visible with their ID. */
export async function presentItems(
  ctx: TxCtx,
  rows: readonly PresentableItem[],
  context: PresentContext = {},
): Promise<Item[]> {
  const numbers =
    context.joins?.numbers ??
    context.numbers ??
    (await numbersByIds(
      ctx.tx,
      ctx.companyId,
      rows.map((r) => r.number_id),
    ));
  return rows.map((r) =>
    presentItem(ctx, r, numbers.get(r.number_id) ?? missingNumber(r.number_id)),
  );
}

/** One item as the API returns it; `actor` is null for what no user did. */
function presentItem(ctx: TxCtx, r: PresentableItem, number: NumberSummary): Item {
  const base = {
    id: r.id,
    conversationId: r.conversation_id,
    isInbound: r.is_inbound,
    createdAt: r.created_at.toISOString(),
    readAt: r.read_at?.toISOString() ?? null,
    actor: r.actor_id ? { userId: r.actor_id, name: r.actor_name ?? '' } : null,
    number: presentNumberSummary(number),
  };
  return { ...base, kind: r.kind, details: presentDetails(ctx, r) } as Item;
}

/** Conversations as the API returns them, with contact, number and blocks. */
export async function presentConversations(
  ctx: TxCtx,
  rows: readonly ConversationRow[],
  context: PresentContext = {},
): Promise<Conversation[]> {
  if (!rows.length) return [];
  const { tx, companyId } = ctx;
  const parties = [...new Set(rows.map((r) => r.party))];
  const joins =
    context.joins ??
    (await loadListJoins(tx, companyId, {
      parties,
      numbers: rows.map((r) => r.number_id),
      contacts: rows.flatMap((r) => r.contact_id ?? []),
      targets: [...new Set(parties.flatMap(targetsMatching))],
    }));
  const teams = await teamsById(
    tx,
    companyId,
    rows.flatMap((r) => r.team_id ?? []),
  );
  return rows.map((row) => ({
    ...presentConversation(row, joins, ctx.now),
    team:
      row.team_id === null ? null : { id: row.team_id, name: teams.get(row.team_id)?.name ?? '' },
  }));
}
function presentConversation(
  r: ConversationRow,
  { optedOut, undecided, callers, rules, numbers, contacts }: ListJoins,
  now: Date,
): Omit<Conversation, 'team'> {
  const number = numbers.get(r.number_id) ?? missingNumber(r.number_id);
  const isBlocked = rules.length > 0 && matchesBlock(rules, r.number_id, r.party);
  const isUnsubscribed = optedOut.has(r.party);
  return {
    id: r.id,
    conversationId: r.id,
    lastActivityAt: r.last_activity_at.toISOString(),
    recipient: r.party,
    number: presentNumberSummary(number),
    contact: presentContactSummary(contacts.get(r.contact_id ?? 0), isUnsubscribed),
    latestItem: r.latest_item_id
      ? {
          id: r.latest_item_id,
          isInbound: r.latest_inbound ?? false,
          createdAt: mustBe(r.latest_at, 'time of the latest item').toISOString(),
          type: r.latest_kind as ItemKind,
          details: latestDetails(r),
        }
      : null,
    numUnreadItems: r.unread ?? 0,
    unread: {
      messages: r.unread_messages,
      calls: r.unread_calls,
      voicemails: r.unread_voicemails,
      faxes: r.unread_faxes,
    },
    isArchived: r.archived_at !== null,
    isBlocked,
    isUnsubscribed,
    possibleOptOut: noticeOf(undecided.get(pairKey({ numberId: r.number_id, party: r.party }))),
    whyNotText: textBlockReason({
      party: r.party,
      optedOut: isUnsubscribed,
      blocked: isBlocked,
      now,
      lastInboundAt: r.last_inbound_at,
      number,
    }),
    enhancedCallerId: presentCallerSummary(callers.get(r.party)),
    createdAt: r.created_at.toISOString(),
    assignee: r.assigned_to === null ? null : { id: r.assigned_to, name: r.assigned_name ?? '' },
    snoozedUntil: r.snoozed_until?.toISOString() ?? null,
  };
}
const noticeOf = (at: Date | undefined) => (at ? { at: at.toISOString() } : null);
const presentCallerSummary = (known: JoinedCaller | undefined) =>
  known ? { name: known.name, type: known.type, line_type: known.line_type } : null;
/** A list's preview only needs to know that there are images. */
function latestDetails(r: ConversationRow): Details {
  const { media, recordingFileId, fileId, previewFileId, ...rest } = (r.latest_details ??
    {}) as Details;
  return { ...rest, ...(Array.isArray(media) ? { media: media.length } : {}) };
}
function presentContactSummary(c: JoinedContact | undefined, isUnsubscribed: boolean) {
  if (!c) return null;
  // Number and name of the other party: the conversation shows its number anyway, and an event may
  // reach users who can't see email addresses.
  return { id: c.id, name: c.name, number: c.number, companyName: c.company_name, isUnsubscribed };
}

/** Items as lists outside their conversation show them. */
export async function presentInboxItems(
  ctx: TxCtx,
  rows: readonly (ItemRow & { party: string; contact_id: number | null })[],
): Promise<InboxItem[]> {
  const items = await presentItems(ctx, rows);
  const contacts = new Map(
    (
      await contactsByIds(
        ctx.tx,
        ctx.companyId,
        rows.flatMap((r) => r.contact_id ?? []),
      )
    ).map((c) => [c.id, c]),
  );
  return rows.map((r, i) => {
    const contact = contacts.get(r.contact_id ?? 0);
    return {
      ...mustBe(items[i], 'the presented item of the row'),
      recipient: r.party,
      contact: contact ? { id: contact.id, name: contact.name } : null,
    };
  });
}
/** The display name of a conversation's other party. */
export async function partyName(
  ctx: TxCtx,
  row: { party: string; contact_id: number | null },
): Promise<string> {
  const [contact] = row.contact_id
    ? await contactsByIds(ctx.tx, ctx.companyId, [row.contact_id])
    : [];
  return contact?.name.trim() || nameOfParty(row.party);
}
