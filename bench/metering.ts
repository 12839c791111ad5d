import pg from 'pg';
import { createServices } from '../server/src/app.ts';
import type { VoiceCarrier, VoiceCommand, VoiceEvent } from '../server/src/gateways/voice.ts';
import { receiveVoiceEvents } from '../server/src/modules/calls/runtime/receive-events.ts';
import { readSettings } from '../server/src/settings.ts';
import { compare, createBench } from './kit.ts';

/**
 * What it costs to note usage, with the trigger that writes a call's minutes and without. First all
 * that ending an answered call does in the request of the carrier that reports it (goal: at most 5 %
 * of that), then only its statement, each call in a transaction of its own. All other triggers run in
 * both; what jobs do afterwards is in neither.
 */
const CALLS = Number(process.env['CALLS'] ?? 6000);
/** Of the whole end of a call. */
const WHOLE_CALLS = Number(process.env['WHOLE_CALLS'] ?? 600);
const CONNECTIONS = Number(process.env['CONNECTIONS'] ?? 8);

const bench = await createBench();
const owner = new pg.Pool({ connectionString: bench.database, max: CONNECTIONS });
const rows = async <T>(text: string, values: unknown[] = []) =>
  (await owner.query(text, values)).rows as T[];
const meter = (isOn: boolean) =>
  rows(`alter table call ${isOn ? 'enable' : 'disable'} trigger usage_of_call`);
await rows(`insert into number (company_id, number, label) values ($1, '+12125550100', 'Main')`, [
  bench.companyId,
]);

/** A number whose calls ring a telephone at a carrier that does at once what it is told. */
const OUR_NUMBER = '+14155552368';
await rows(
  `with made as (insert into number (company_id, number, label, voicemail_enabled)
       values ($1, $2, 'Sales', false) returning company_id, id, number),
     listed as (insert into number_directory (number, company_id, number_id)
       select number, company_id, id from made),
     routed as (insert into route (company_id, number_id, extension, label, type, timeout_seconds,
         voicemail_enabled) select company_id, id, 1, '', 'standard', 20, false from made
       returning company_id, id)
   insert into forward (company_id, route_id, position, label, phone)
   select company_id, id, 0, 'Desk', '+12065550199' from routed`,
  [bench.companyId, OUR_NUMBER],
);
const rung = new Map<string, string>();
const carrier: VoiceCarrier = {
  name: 'bench',
  capabilities: {
    ...{ parallelTargets: 0, confirmWithSeveralTargets: false, sequential: false },
    ...{ whisper: true, rooms: true },
  },
  perform: (commands: readonly VoiceCommand[]) => {
    for (const command of commands)
      if (command.do === 'createLeg' && command.onBehalfOf)
        rung.set(command.onBehalfOf, command.leg);
    return Promise.resolve();
  },
  getLegStatus: () => Promise.resolve(null),
  createClientToken: () => Promise.reject(new Error('nobody calls from a browser here')),
};
let laterMs = 0;
const services = await createServices(readSettings(bench.env), 'bench-calls', {
  gateways: { voice: carrier },
  now: () => new Date(Date.now() + laterMs),
});
let reports = 0;
type Words = { type: 'inbound'; from: string; to: string } | { type: 'legAnswered' } | Ended;
type Ended = { type: 'legEnded'; cause: 'hangup' };
async function report(call: string, leg: string, words: Words): Promise<void> {
  const seq = ++reports;
  const event = { ...words, id: `${seq}`, call, leg, seq, at: services.now().getTime() };
  const { performed } = await receiveVoiceEvents(services, bench.server.notifier, 'bench', [
    event as VoiceEvent,
  ]);
  await performed;
}

/** No caller calls twice in a round, so that none waits for another. */
const aCaller = (call: string) => `+1212${String(5_000_000 + Number(call.slice(5)))}`;

/** Answers so many calls, ends them, and returns how many a second ended. A company has few at one time. */
async function endWhole(isMetered: boolean): Promise<number> {
  await meter(isMetered);
  let took = 0;
  for (let n = 0; n < WHOLE_CALLS; n += CONNECTIONS) {
    const calls = Array.from({ length: CONNECTIONS }, () => `call-${++reports}`);
    await Promise.all(calls.map(answer));
    // A call of no length has no minutes.
    laterMs += 100_000;
    const began = performance.now();
    await Promise.all(
      calls.map((call) => report(call, call, { type: 'legEnded', cause: 'hangup' })),
    );
    took += performance.now() - began;
  }
  return (WHOLE_CALLS / took) * 1000;
}
async function answer(call: string): Promise<void> {
  await report(call, call, { type: 'inbound', from: aCaller(call), to: OUR_NUMBER });
  const leg = rung.get(call);
  if (!leg) throw new Error('the call rings nowhere');
  await report(call, leg, { type: 'legAnswered' });
}
await compare(
  'ending a call, all of it',
  'a second',
  () => endWhole(false),
  () => endWhole(true),
);

/** Ends so many calls and returns how many a second. */
async function endCalls(isMetered: boolean): Promise<number> {
  await meter(isMetered);
  const calls = await rows<{ id: string }>(
    `insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
       started_at, answered_at)
     select $1, n.id, false, 'bench', '+12125550147', n.number, '+12125550147',
       now() - interval '2 minutes', now() - interval '100 seconds'
     from number n, generate_series(1, $2::int) where n.company_id = $1 and n.label = 'Main'
     returning id`,
    [bench.companyId, CALLS],
  );
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let call = calls[next++]; call; call = calls[next++])
        await owner.query({
          name: 'end',
          text: `update call set ended_at = now(), status = 4, outcome = 1, talk_seconds = 100,
            duration_seconds = 120 where company_id = $1 and id = $2`,
          values: [bench.companyId, call.id],
        });
    }),
  );
  return (calls.length / (performance.now() - began)) * 1000;
}

const noted = async (): Promise<number> =>
  (
    await rows<{ n: number }>(
      `select count(*)::int n from usage_entry where component = 'voice_minutes'`,
    )
  )[0]?.n ?? 0;
console.log(`  ${await noted()} calls were noted`);
await compare(
  'the statement that ends a call',
  'a second',
  () => endCalls(false),
  () => endCalls(true),
);
console.log(`  ${await noted()} calls were noted in all`);
await owner.end();
await services.close();
await bench.close();
