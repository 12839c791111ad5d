-- Bandwidth's codes 4785 (volume limit), 4790 (short code) and 4795 (toll-free number not verified) were once taken for opt-outs.
-- What the third was said to mean stands as the proof in the history, and nothing else ever wrote that sentence. The sentence of
-- the first two was also that of real opt-outs (Twilio's 21610): it counts as theirs only where texts to the number failed so at
-- Bandwidth and at no other carrier. Whoever is opted out for no other reason since they last opted in is texted again; the
-- history, which nobody changes, says why.
with wrong as (
  select o.company_id, o.number from opt_out o
  cross join lateral (
    select bool_and(h.source = 'carrier_error' and h.proof = 'The recipient opted out at the carrier.'
      or h.source = 'carrier_error' and h.proof = 'The recipient told the carrier to stop.' and coalesce(f.only_bandwidth, false)) as all_wrong
    from opt_out_history h
    cross join (
      select bool_and(i.carrier is not distinct from 'bandwidth') as only_bandwidth
      from conversation c join conversation_item i on i.company_id = c.company_id and i.conversation_id = c.id
      where c.company_id = o.company_id and c.party = o.number and i.details ->> 'errorCode' = 'opted_out') f
    where h.company_id = o.company_id and h.number = o.number and h.action = 'out'
      and h.id > coalesce((select max(i.id) from opt_out_history i where i.company_id = o.company_id and i.number = o.number and i.action = 'in'), 0)) h
  where o.source = 'carrier_error' and h.all_wrong
), gone as (
  delete from opt_out o using wrong w where o.company_id = w.company_id and o.number = w.number returning o.company_id, o.number, o.number_id
)
insert into opt_out_history (company_id, number, action, source, number_id, proof, at)
select company_id, number, 'in', 'carrier_error', number_id, 'Corrected: the carrier reported a failed text, which was no opt-out.', now() from gone;
