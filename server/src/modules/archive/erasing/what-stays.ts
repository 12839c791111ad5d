/**
 * What erasing a person leaves, and why, in plain words. `places`: the columns in which the person
 * may still be found, which a test compares with a scan of the whole database.
 */
export const whatStays: readonly { what: string; why: string; places: readonly string[] }[] = [
  {
    what: 'Opt-outs and proofs of consent',
    why: 'They keep the company from texting the number by mistake, and prove it could.',
    places: ['opt_out.number', 'opt_out_history.number', 'optin_proof.party', 'optin_proof.text'],
  },
  {
    what: 'Blocked numbers',
    why: 'The company stays protected from this number.',
    places: ['block.target'],
  },
  {
    what: 'The audit log',
    why: 'It proves who did what, and entries are deleted after two years.',
    places: ['audit_log.before', 'audit_log.after'],
  },
  {
    what: 'A hash of each number',
    why: 'An archive written before doesn’t bring the person back here. The hash is deleted after five years.',
    places: [],
  },
  {
    what: 'Events and reports of carriers',
    why: 'They are needed to repeat what failed, and are deleted within 31 days.',
    places: [
      ...['outbox.data', 'ordered_event.data', 'carrier_leg.from_number', 'carrier_leg.to_number'],
      ...['carrier_leg.facts', 'carrier_object.facts', 'unmatched_call_event.event'],
    ],
  },
];
