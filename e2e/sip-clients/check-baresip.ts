import { loudnessAt } from '../../server/src/platform/audio/loudness.ts';
import { StreamDecoder } from '../../server/src/exchange/opus.ts';
import type { Metric } from '../metric.ts';
import { baresip, type Phone, type Transport } from './baresip.ts';
import { busyNumber, realm, waitUntil, type TestSipServer } from './exchange.ts';

type Say = (id: string, target: string, pass: boolean, figure?: string) => void;

/** Calls to and from a baresip phone. */
export async function checkBaresip(
  server: TestSipServer,
  transport: Transport,
  user: string,
  n: number,
): Promise<Metric[]> {
  const figures: Metric[] = [];
  const say: Say = (id, target, pass, figure = pass ? target : 'no') =>
    void figures.push({ id: `baresip ${transport}: ${id}`, value: figure, target, pass });
  const phone = await baresip(server.port, user, transport);
  try {
    await checkRegistration(server, user, say);
    await checkIncomingCall(server, phone, { user, leg: `rung-${n}` }, say);
    await checkOutgoingCalls(server, phone, say);
  } finally {
    await phone.stop();
  }
  return figures;
}

async function checkRegistration(
  { exchange }: TestSipServer,
  user: string,
  say: Say,
): Promise<void> {
  say(
    'registers',
    '200',
    await waitUntil(() =>
      [...exchange.exchange.devices.all()].some(
        ({ identity }) => identity.kind === 'app' && identity.identity === user,
      ),
    ),
  );
}

async function checkIncomingCall(
  { exchange, asked }: TestSipServer,
  phone: Phone,
  { user, leg }: { user: string; leg: string },
  say: Say,
): Promise<void> {
  await exchange.perform({
    do: 'createLeg',
    leg,
    to: { kind: 'app', userId: Number(user.slice(1)), companyId: 1 },
    callerId: '+12125550147',
    timeoutSeconds: 30,
    onBehalfOf: null,
  });
  say(
    'is rung and answers',
    'answered',
    await waitUntil(() => exchange.exchange.legs.get(leg)?.state === 'answered'),
  );
  const ear = new StreamDecoder();
  let loudness = 0;
  exchange.exchange.legs
    .get(leg)
    ?.listeners.add(
      ({ pcm, opus }) => void (loudness = loudnessAt(pcm ?? ear.decode(opus), 440, 16_000)),
    );
  say(
    'its 440 Hz tone is heard',
    '> 0.05',
    await waitUntil(() => loudness > 0.05),
    loudness.toFixed(2),
  );
  asked.length = 0;
  phone.command('hold');
  const held = await waitUntil(() => asked.includes('hold'));
  phone.command('resume');
  say(
    'hold and resume reach the product',
    'hold, resume',
    held && (await waitUntil(() => asked.includes('resume'))),
    asked.join(', '),
  );
  phone.command('transfer', '2125550199');
  say(
    'its transfer key reaches the product',
    'transfer',
    await waitUntil(() => asked.some((one) => one.startsWith('transfer'))),
    asked.at(-1) ?? '',
  );
  await exchange.perform({ do: 'hangup', leg });
  say(
    'hears our hang-up',
    'closed',
    await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_CLOSED'))),
  );
}

async function checkOutgoingCalls(
  { exchange, placed }: TestSipServer,
  phone: Phone,
  say: Say,
): Promise<void> {
  phone.events.length = 0;
  phone.command('dial', `sip:2125550148@${realm}`);
  const ringing = await waitUntil(() =>
    phone.events.some((event) => event.startsWith('CALL_RINGING')),
  );
  const early = phone.events.some((event) => event.startsWith('CALL_ESTABLISHED'));
  say(
    'hears ringing before the answer',
    '180, no 200',
    ringing && !early,
    phone.events.join(' | '),
  );
  await exchange.perform({
    do: 'play',
    leg: placed(),
    prompts: [{ kind: 'say', text: 'A'.repeat(200) }],
  });
  say(
    'is up when the other side answers',
    '200',
    await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_ESTABLISHED'))),
  );
  phone.command('hangup');
  say(
    'its hang-up ends the leg',
    'ended',
    await waitUntil(() => exchange.exchange.legs.get(placed())?.state === 'ended'),
  );
  // The event of that end comes a moment later and must not count for the next call.
  await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_CLOSED')));
  phone.events.length = 0;
  phone.command('dial', `sip:${busyNumber}@${realm}`);
  await waitUntil(() => phone.events.some((event) => event.startsWith('CALL_CLOSED')));
  const closed = phone.events.find((event) => event.startsWith('CALL_CLOSED')) ?? '';
  say('hears that the other side is busy', '486', closed.includes('486'), closed);
}
