import { sql } from 'kysely';
import type { SpokenPhrase } from '#contract/calls/phrases/schemas';
import type { Tx } from '../../../platform/db.ts';
import type { FoundRow } from '../search/store-search.ts';
import type { Candidate } from './store.ts';

/** These calls as lists of found calls show them, the newest first. */
export async function foundCalls(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`select c.id, c.number_id, c.outbound, c.from_number,
      c.to_number, c.party, c.caller_name, c.contact_id, c.conversation_id, c.status, c.outcome,
      c.started_at, c.talk_seconds, c.duration_seconds, c.answered_by, c.note, n.number,
      n.label number_label, k.name contact_name
    from unnest(${[...ids]}::bigint[]) a (id)
      cross join lateral (select * from call
        where company_id = ${companyId} and id = a.id offset 0) c
      join number n on n.company_id = ${companyId} and n.id = c.number_id
      left join contact k on k.company_id = ${companyId} and k.id = c.contact_id
    order by c.started_at desc, c.id desc`.execute(tx);
  return rows;
}

/** What a list found in these calls, with the text it was found in. */
export async function segmentsOfHits(
  tx: Tx,
  companyId: number,
  listId: number,
  callIds: readonly number[],
): Promise<(Pick<Candidate, 'call_id' | 'kind' | 'segments'> & { spoken: SpokenPhrase[] })[]> {
  const { rows } = await sql<
    Pick<Candidate, 'call_id' | 'kind' | 'segments'> & { spoken: SpokenPhrase[] }
  >`select h.call_id, r.kind, h.spoken, coalesce((select jsonb_agg(x - 'words')
        from jsonb_array_elements(t.metadata -> 'segments') x), '[]') segments
    from phrase_hit h
      join transcription t on t.company_id = h.company_id and t.id = h.transcription_id
      join recording r on r.company_id = t.company_id and r.id = t.recording_id
    where h.company_id = ${companyId} and h.list_id = ${listId}
      and h.call_id = any(${[...callIds]}::bigint[])
    order by h.transcription_id`.execute(tx);
  return rows;
}
