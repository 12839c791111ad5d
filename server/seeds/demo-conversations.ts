import type { Item, Row } from './demo-calls.ts';
import { idAt, type SeedNumber } from './demo-rows.ts';
import type { Person } from './demo-slots.ts';
import type { SeededRandom } from './demo-vocabulary.ts';

const DAY = 86_400_000;

/** The rows of a conversation and its items, which are in order of time. */
export function planConversation(
  random: SeededRandom,
  company_id: number,
  {
    id: conversationId,
    number,
    person,
    mine,
    at,
  }: {
    id: number;
    number: SeedNumber /** `id`: of the contact; null: none. */;
    person: Pick<Person, 'number'> & { id: number | null };
    mine: readonly Item[];
    at: Date;
  },
): { items: Row[]; conversation: Row } {
  const last = mine.at(-1)!;
  const isRecent = last.at > at.getTime() - 1.5 * DAY;
  const rows = mine.map((m) => ({
    company_id,
    id: idAt(m.at),
    conversation_id: conversationId,
    number_id: number.id,
    kind: m.kind,
    is_inbound: m.inbound,
    created_at: new Date(m.at),
    read_at: m.unread ? null : new Date(m.at),
    actor_id: m.agent?.id ?? null,
    actor_name: m.agent?.name ?? null,
    details: m.details,
    text: m.text,
    delivery_state: m.delivery,
    tries: 0,
    carrier: m.kind === 'message' ? 'sandbox' : null,
    provider_event_id: null,
    source: m.source,
  }));
  const unread = (kind: Item['kind']) => mine.filter((m) => m.unread && m.kind === kind).length;
  const isWaiting = isLeftWaiting(mine);
  const lastInbound = mine.findLast((m) => m.kind === 'message' && m.inbound);
  const conversation = {
    company_id,
    id: conversationId,
    number_id: number.id,
    party: person.number,
    contact_id: person.id,
    created_at: new Date(mine[0]!.at),
    last_activity_at: new Date(last.at),
    // Older conversations are done.
    archived_at: !isRecent && !isWaiting && random.chance(0.55) ? at : null,
    unread_messages: unread('message'),
    unread_calls: unread('call'),
    unread_voicemails: 0,
    unread_faxes: 0,
    latest_item_id: rows.at(-1)!.id,
    latest_kind: last.kind,
    latest_inbound: last.inbound,
    latest_at: new Date(last.at),
    latest_details:
      last.kind === 'message' ? { ...last.details, deliveryState: last.delivery } : last.details,
    last_inbound_at: lastInbound ? new Date(lastInbound.at) : null,
  };
  return { items: rows, conversation };
}

/** Whether the latest item is an unanswered question, missed call or voicemail. */
const isLeftWaiting = (mine: readonly Item[]): boolean => {
  const last = mine.at(-1)!;
  return last.inbound && (last.unread || (last.kind === 'call' && last.details['outcome'] !== 1));
};
