import { sql } from 'kysely';
import { departments, outcomeTags } from '#contract/calls/rules';
import { sentiments } from '#contract/analytics/call-analytics/rules';
import type { TestApp } from './test-app.ts';

/** A call as a test knows it. */
export interface KnownCall {
  id: number;
  number_id: number;
  outbound: boolean;
  party: string;
  caller_state: string | null;
  outcome: number;
  started_at: string;
  talk: number;
  ring: number;
  first: boolean;
  answered_by: { type: string; id: number | null; label: string; number: string | null } | null;
  user: number | null;
  extension: number | null;
  extension_label: string | null;
  qualified: boolean;
  lead: boolean;
  outcome_tags: string[];
  department: string;
  value: number | null;
  source: { key: string; label: string; campaign: string | null } | null;
  pool: number | null;
  tags: number[];
  sentiment: string;
}

/** Numbers from a seed, the same in each run. */
export function seeded(seed: number) {
  let state = seed;
  const next = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number) => Math.floor(next() * n);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = <T>(list: readonly T[], share: number) => list.filter(() => next() < share);
  return { next, below, oneOf, some, is: (share: number) => next() < share };
}
type Seeded = ReturnType<typeof seeded>;

/** What random calls are made of. */
interface Material {
  numbers: readonly number[];
  users: readonly number[];
  tags: readonly number[];
  from: string;
  days: number;
}
const states = ['NY', 'CA', 'TX', '', null];
const areas = ['212', '415', '305'];
const sources = [
  { key: 'google_ads', label: 'Google Ads', campaign: 'Implants' },
  { key: 'google_ads', label: 'Google Ads', campaign: null },
  { key: 'bing', label: 'Bing', campaign: 'Spring' },
  null,
];

function randomCall(r: Seeded, m: Material, id: number): KnownCall {
  const outcome = r.oneOf([0, 1, 1, 1, 2, 3, 4]);
  const outbound = r.is(0.2);
  const type = r.oneOf(['user', 'forward', 'app', 'voicemail']);
  const userId = r.oneOf(m.users);
  const isPerson = type === 'user' || type === 'app';
  const forward = r.oneOf([
    { id: 71, label: 'Reception', number: '+14155550171' },
    { id: null, label: '+14155550172', number: '+14155550172' },
  ]);
  const extension = r.oneOf([null, 1, 2]);
  return {
    id,
    number_id: r.oneOf(m.numbers),
    outbound,
    party: r.is(0.05)
      ? 'anonymous'
      : r.is(0.05)
        ? '+442079460000'
        : `+1${r.oneOf(areas)}55501${10 + r.below(40)}`,
    caller_state: r.oneOf(states),
    outcome,
    started_at: new Date(Date.parse(m.from) + r.below(m.days * 86_400_000)).toISOString(),
    talk: outcome === 1 ? r.oneOf([5, 30, 31, 90, 91, 121, 300, 301, 900]) : r.below(20),
    ring: r.below(30),
    first: r.is(0.3),
    answered_by:
      outcome === 1
        ? type === 'forward'
          ? { type, ...forward }
          : { type, id: isPerson ? userId : null, label: 'Someone', number: null }
        : null,
    user: outbound || (outcome === 1 && isPerson) ? userId : null,
    extension,
    extension_label: extension === 1 ? r.oneOf(['Sales', '']) : null,
    qualified: r.is(0.4),
    lead: r.is(0.2),
    outcome_tags: r.some(outcomeTags, 0.2),
    department: r.oneOf(departments.slice(0, 4)),
    value: r.oneOf([null, 0, 12_345, 700]),
    source: r.oneOf(sources),
    pool: r.oneOf([null, 81, 82]),
    tags: r.some(m.tags, 0.4),
    sentiment: r.oneOf(sentiments),
  };
}

/** Stores random calls of a company with their tags and moods, and says what they are. */
export async function randomCalls(
  app: TestApp,
  companyId: number,
  material: Material,
  { count, seed }: { count: number; seed: number },
): Promise<KnownCall[]> {
  const random = seeded(seed);
  const calls = Array.from({ length: count }, (_, n) =>
    randomCall(random, material, seed * 1_000_000 + n + 1),
  );
  const rows = JSON.stringify(calls);
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into call (company_id, id, number_id, carrier, outbound, from_number, to_number,
        party, caller_state, status, outcome, started_at, talk_seconds, ring_seconds, first_contact,
        answered_by, answered_user_id, placed_by, extension, extension_label, qualified, lead,
        outcome_tags, department, value_cents, source, dni_pool_id)
      select ${companyId}, id, number_id, 'sandbox', outbound, party, party, party, caller_state, 12,
        outcome, started_at, talk, ring, first, nullif(answered_by, 'null'),
        case when not outbound then "user" end, case when outbound then "user" end, extension,
        extension_label, qualified, lead, array(select jsonb_array_elements_text(outcome_tags)),
        department, value, nullif(source, 'null'), pool
      from jsonb_to_recordset(${rows}::jsonb) c (id bigint, number_id bigint, outbound boolean,
        party text, caller_state text, outcome smallint, started_at timestamptz, talk int, ring int,
        first boolean, answered_by jsonb, "user" bigint, extension int, extension_label text,
        qualified boolean, lead boolean, outcome_tags jsonb, department text, value bigint,
        source jsonb, pool bigint)`.execute(tx);
    await sql`insert into call_tag (company_id, call_id, tag_id)
      select ${companyId}, c.id, t::bigint
      from jsonb_to_recordset(${rows}::jsonb) c (id bigint, tags jsonb),
        jsonb_array_elements_text(c.tags) t`.execute(tx);
    await sql`insert into recording (company_id, id, call_id, carrier_recording, kind, state,
        content_type, duration_ms, channels, speakers, created_at)
      select ${companyId}, id, id, 'r' || id, 'call', 'ready', 'audio/wav', 1000, 1, '{0}', now()
      from jsonb_to_recordset(${rows}::jsonb) c (id bigint, sentiment text)
      where sentiment <> 'unknown'`.execute(tx);
    await sql`insert into transcription (company_id, recording_id, call_id, state, metadata,
        created_at)
      select ${companyId}, id, id, 'ready',
        jsonb_build_object('sentiment', jsonb_build_object('overall', sentiment)), now()
      from jsonb_to_recordset(${rows}::jsonb) c (id bigint, sentiment text)
      where sentiment <> 'unknown'`.execute(tx);
  });
  return calls;
}
