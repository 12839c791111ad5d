import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import { firstNames, lastNames, type SeededRandom, type Trade } from './demo-vocabulary.ts';

export interface SeedNumber {
  id: number;
  number: string;
  label: string;
}
export interface SeedCompany {
  id: number;
  trade: Trade;
  numbers: SeedNumber[];
  agents: { id: number; name: string }[];
  tags: Map<string, number>;
  contacts: number;
  messages: number;
  calls: number;
  areaCodes: readonly string[];
}
export interface SeededCall {
  id: number;
  numberId: number;
  party: string;
  startedAt: Date;
  talkSeconds: number;
  outcome: number;
  conversationId: number;
  agentId: number | null;
}

const DAY = 86_400_000;
/** An id as the database would have made it at that moment (docs/decisions/0003): newest things have the largest ids. */
let counter = 0;
export const idAt = (at: number) => (at - 1_704_067_200_000) * 4096 + (counter++ & 4095);

/** Insert many rows of one table in one statement. */
export async function insertInBatches(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += 2000) {
    const batch = rows.slice(i, i + 2000);
    const columns = Object.keys(batch[0]!);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((c) => sql.ref(c)))}) select ${sql.join(columns.map((c) => sql.ref(c)))} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)}::json)`.execute(
      tx,
    );
  }
}

/** A moment in business hours, `daysAgo` days before now; nights are rare. */
function randomTime(random: SeededRandom, now: Date, daysAgo: number): number {
  const day = new Date(now.getTime() - daysAgo * DAY);
  const weekend = [0, 6].includes(day.getUTCDay());
  const hour = random.chance(0.06)
    ? random.int(0, 23)
    : weekend
      ? random.int(15, 20)
      : random.int(13, 22);
  const at = Date.UTC(
    day.getUTCFullYear(),
    day.getUTCMonth(),
    day.getUTCDate(),
    hour,
    random.int(0, 59),
    random.int(0, 59),
  );
  // Later today has not happened yet: it happened in the last half day instead.
  return at < now.getTime() - 3_600_000 ? at : now.getTime() - random.int(600, 43_200) * 1000;
}

interface Item {
  at: number;
  kind: 'message' | 'call' | 'voicemail' | 'note';
  inbound: boolean;
  details: Record<string, unknown>;
  text: string;
  delivery: string | null;
  agent: { id: number; name: string } | null;
  source: string | null;
}

/** Ninety days of one company: contacts, their conversations, texts and calls. Answers the calls, newest first. */
export async function seedHistory(
  tx: Tx,
  random: SeededRandom,
  company: SeedCompany,
  now: Date,
): Promise<SeededCall[]> {
  const { id: company_id, trade } = company;
  const people = Array.from({ length: company.contacts }, (_, i) => {
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    const number = `+1${random.pick(company.areaCodes)}555${String(1000 + i).slice(-4)}`;
    const email = random.chance(0.6) ? `${first}.${last}${i}@example.com`.toLowerCase() : '';
    return {
      id: idAt(now.getTime() - 91 * DAY + i * 1000),
      first,
      name: `${first} ${last}`,
      number,
      email,
      out: random.chance(0.02),
    };
  });
  await insertInBatches(
    tx,
    'contact',
    people.map((p) => ({
      company_id,
      id: p.id,
      number: p.number,
      name: p.name,
      email: p.email,
      company_name: '',
      title: '',
      address1: '',
      address2: '',
      city: '',
      state: '',
      zip: '',
      country: 'US',
      notes: '',
      optin_source: '',
      alternative_names: [],
      secondary_emails: [],
      type: 'Person',
      source: random.chance(0.5) ? 'Import' : 'Manual',
      invalid: false,
      unsubscribed_at: p.out ? new Date(now.getTime() - 3 * DAY) : null,
      created_at: new Date(now.getTime() - 91 * DAY),
      updated_at: now,
    })),
  );

  const conversations: Record<string, unknown>[] = [];
  const items: Record<string, unknown>[] = [];
  const calls: Record<string, unknown>[] = [];
  const history: Record<string, unknown>[] = [];
  const callTags: Record<string, unknown>[] = [];
  const told: SeededCall[] = [];

  people.forEach((person, index) => {
    const number = company.numbers[index % 5 < 3 ? 0 : index % company.numbers.length]!;
    const made: Item[] = [];
    const start = random.int(0, 89);
    const share = random.next() * 2;
    for (let m = 0; m < (company.messages / company.contacts) * share;) {
      const thread = random.pick(trade.threads);
      const gaps = thread.map(() => random.int(40, 1500) * 1000);
      const long = gaps.reduce((a, b) => a + b, 0);
      let at = Math.min(
        randomTime(random, now, index < 40 ? random.int(0, 4) : Math.min(89, random.int(0, start))),
        now.getTime() - long - random.int(180, 20_000) * 1000,
      );
      for (const [i, line] of thread.entries()) {
        const inbound = line.startsWith('<');
        const text = line.slice(2).replaceAll('{first}', person.first);
        at += gaps[i]!;
        const failed = !inbound && random.chance(0.008);
        made.push({
          at,
          kind: 'message',
          inbound,
          text,
          delivery: inbound ? 'received' : failed ? 'failed' : 'delivered',
          agent: inbound ? null : random.pick(company.agents),
          source: null,
          details: {
            content: text,
            media: [],
            segments: Math.ceil(text.length / 160),
            encoding: 'GSM-7',
            errorCode: failed ? 'unreachable' : null,
            errorText: failed ? 'The phone could not be reached. Try again later.' : null,
          },
        });
        m++;
      }
    }
    const callCount = Math.round((company.calls / company.contacts) * random.next() * 2);
    for (let c = 0; c < callCount; c++) {
      const at = randomTime(random, now, index < 60 ? random.int(0, 6) : random.int(0, 89));
      const outbound = random.chance(0.22);
      const roll = random.next();
      // Final status and outcome codes of A5.1.
      const [status, outcome] =
        roll < 0.64
          ? [12, 1]
          : roll < 0.8
            ? outbound
              ? [8, 2]
              : [4, 3]
            : roll < 0.9
              ? [8, 2]
              : roll < 0.96
                ? [11, 2]
                : outbound
                  ? [8, 2]
                  : roll < 0.98
                    ? [3, 2]
                    : [13, 4];
      const agent = random.pick(company.agents);
      const ring = random.int(3, 19);
      const talk = outcome === 1 ? random.int(25, 620) : outcome === 3 ? random.int(6, 40) : 0;
      const id = idAt(at);
      const answered = outcome === 1 ? new Date(at + ring * 1000) : null;
      const ended = new Date(at + (ring + talk) * 1000);
      const topic = random.pick(trade.calls);
      const answeredBy =
        outcome === 1
          ? { type: 'app', id: agent.id, label: agent.name, number: null }
          : outcome === 3
            ? { type: 'voicemail', id: null, label: 'Voicemail', number: null }
            : null;
      calls.push({
        company_id,
        id,
        number_id: number.id,
        outbound,
        carrier: 'sandbox',
        from_number: outbound ? number.number : person.number,
        to_number: outbound ? person.number : number.number,
        party: person.number,
        caller_name: outbound ? null : person.name.toUpperCase(),
        caller_city: null,
        caller_state: null,
        contact_id: person.id,
        conversation_id: null,
        placed_by: outbound ? agent.id : null,
        status,
        outcome,
        because: null,
        abandoned: status === 3 ? 'menu_abandon' : status === 11 ? 'ring_abandon' : null,
        started_at: new Date(at),
        ringing_at: new Date(at + 1000),
        answered_at: answered,
        connected_at: answered,
        ended_at: ended,
        ring_seconds: ring,
        talk_seconds: outcome === 1 ? talk : 0,
        duration_seconds: ring + talk,
        first_contact: c === 0,
        answered_by: answeredBy,
        answered_user_id: outcome === 1 ? agent.id : null,
        route_id: null,
        extension: 1,
        extension_label: 'Front desk',
        alert_emails: [],
        transcribe: true,
        recording_retention_days: 365,
        note: outcome === 1 && random.chance(0.3) ? topic.note : '',
        qualified: outcome === 1 && talk > 60,
        lead: outcome === 1 && random.chance(0.2),
        outcome_tags: [],
        department: 'unknown',
        value_cents: null,
        spam: false,
        created_at: new Date(at),
        updated_at: ended,
      });
      const say = (
        offset: number,
        code: number,
        label: string,
        target: string | null,
        detail: string | null,
      ) =>
        history.push({
          company_id,
          id: idAt(at + offset),
          call_id: id,
          kind: 'history',
          at: new Date(at + offset),
          code,
          label,
          leg: null,
          target,
          detail,
          actor: null,
        });
      say(0, 1, 'Started', outbound ? person.number : number.number, null);
      if (outcome === 1)
        say(
          ring * 1000,
          12,
          'Connected',
          agent.name,
          outbound ? 'The other party answered.' : 'Answered in the browser.',
        );
      else
        say(
          ring * 1000,
          status!,
          status === 4
            ? 'Voicemail'
            : status === 13
              ? 'Blocked'
              : status === 3 || status === 11
                ? 'Hangup'
                : 'No Answer',
          null,
          null,
        );
      if (outcome === 1 && random.chance(0.25))
        callTags.push({
          company_id,
          call_id: id,
          tag_id: company.tags.get(topic.tag)!,
          added_by: agent.id,
          added_at: ended,
        });
      made.push({
        at,
        kind: 'call',
        inbound: !outbound,
        text: '',
        delivery: null,
        agent: outbound ? agent : null,
        source: `call:${id}`,
        details: {
          callId: id,
          status,
          outcome,
          duration: ring + talk,
          answeredBy: answeredBy?.label ?? null,
          source: null,
          extensionLabel: outbound ? null : 'Front desk',
          recordingFileId: null,
        },
      });
      told.push({
        id,
        numberId: number.id,
        party: person.number,
        startedAt: new Date(at),
        talkSeconds: talk,
        outcome: outcome!,
        conversationId: 0,
        agentId: outcome === 1 ? agent.id : null,
      });
    }
    if (!made.length) return;
    made.sort((a, b) => a.at - b.at);
    const conversationId = idAt(made[0]!.at);
    const last = made.at(-1)!;
    // A handful of today's conversations wait for an answer; everything older has been dealt with.
    const fresh = last.at > now.getTime() - 1.5 * DAY;
    const unread = fresh && last.inbound && index < 22;
    const rows = made.map((m, i) => ({
      company_id,
      id: idAt(m.at),
      conversation_id: conversationId,
      number_id: number.id,
      kind: m.kind,
      is_inbound: m.inbound,
      created_at: new Date(m.at),
      read_at: unread && i === made.length - 1 ? null : new Date(m.at),
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
    items.push(...rows);
    for (const call of told) if (call.party === person.number) call.conversationId = conversationId;
    conversations.push({
      company_id,
      id: conversationId,
      number_id: number.id,
      party: person.number,
      contact_id: person.id,
      created_at: new Date(made[0]!.at),
      last_activity_at: new Date(last.at),
      archived_at: !fresh && random.chance(0.55) ? now : null,
      unread_messages: unread && last.kind === 'message' ? 1 : 0,
      unread_calls: unread && last.kind === 'call' ? 1 : 0,
      unread_voicemails: 0,
      unread_faxes: 0,
      latest_item_id: rows.at(-1)!.id,
      latest_kind: last.kind,
      latest_inbound: last.inbound,
      latest_at: new Date(last.at),
      latest_details:
        last.kind === 'message' ? { ...last.details, deliveryState: last.delivery } : last.details,
      heard_at: made.findLast((m) => m.kind === 'message' && m.inbound)
        ? new Date(made.findLast((m) => m.kind === 'message' && m.inbound)!.at)
        : null,
    });
  });

  const conversationOf = new Map(told.map((c) => [c.id, c.conversationId]));
  for (const call of calls) call['conversation_id'] = conversationOf.get(call['id'] as number);
  await insertInBatches(tx, 'conversation', conversations);
  await insertInBatches(tx, 'conversation_item', items);
  await insertInBatches(tx, 'call', calls);
  await insertInBatches(tx, 'call_history', history);
  if (callTags.length) await insertInBatches(tx, 'call_tag', callTags);
  const outs = people.filter((p) => p.out);
  await insertInBatches(
    tx,
    'opt_out',
    outs.map((p) => ({
      company_id,
      number: p.number,
      source: 'keyword',
      number_id: company.numbers[0]!.id,
      opted_out_at: new Date(now.getTime() - 3 * DAY),
    })),
  );
  await insertInBatches(
    tx,
    'opt_out_history',
    outs.map((p) => ({
      company_id,
      id: idAt(now.getTime() - 3 * DAY),
      number: p.number,
      action: 'out',
      source: 'keyword',
      number_id: company.numbers[0]!.id,
      proof: 'STOP',
      at: new Date(now.getTime() - 3 * DAY),
    })),
  );
  return told.sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
}
