import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { emptyOutcome, PATIENCE_MS, RENEW_EVERY, type Outcome, type Target } from './outcome.ts';
import { createRandom, randomValue, type SeededRandom } from './values.ts';

const frames = [
  '',
  '0',
  '1',
  '2',
  '3',
  '4',
  '9',
  '2["subscribe"',
  '2[]',
  '2[1]',
  '2{"a":1}',
  '2["subscribe",{"channel":{"toString":1}}]',
  '2/x,["subscribe"]',
  '0/x,{}',
  '0{"token":{"toString":1}}',
  '1/x,',
  '251-["subscribe",{}]',
  '51-["x",{"_placeholder":true,"num":0}]',
  '599999999-["x"]',
  '3[]',
  '37["x"]',
  '2999999999999999999999["subscribe",{}]',
  '2["error",{"toString":1}]',
  '2["disconnect"]',
  '2["newListener"]',
  '2["__proto__"]',
  `2["${'x'.repeat(90_000)}"]`,
  '4{"message":"x"}',
  '\0',
  '２',
];
const events = [
  'subscribe',
  'unsubscribe',
  'resume',
  'client event',
  'error',
  'anything',
  'toString',
  '__proto__',
];

function randomPacket(
  d: SeededRandom,
  target: Target,
  token: string,
): { event: string; said: unknown[] } {
  const channel = d.one(0.5)
    ? `private-${d.pick(['conversations', 'companies', 'campaigns', 'users', 'caddy', 'bulk-purchase'])}.${d.pick([target.companyId, 1, 999, '9'.repeat(30)])}`
    : randomValue(d);
  const said = d.one(0.2)
    ? randomValue(d)
    : {
        channel,
        seq: d.one(0.5) ? d.under(1000) : randomValue(d),
        replay: randomValue(d),
        auth: d.one(0.4)
          ? {
              headers: {
                authorization: d.one(0.5) ? `Bearer ${token}` : randomValue(d),
                isAdmin: randomValue(d),
              },
            }
          : randomValue(d),
      };
  return {
    event: d.pick(events),
    said: d.one(0.1) ? [] : d.one(0.1) ? [said, randomValue(d), said] : [said],
  };
}

/** A socket that was let in; null: it was refused. */
async function openSocket(
  d: SeededRandom,
  target: Target,
  token: string,
  outcome: Outcome,
): Promise<Socket | null> {
  const auth = d.one(0.6) ? { token } : { token: randomValue(d), x: randomValue(d) };
  const socket = io(target.url, {
    transports: [d.one(0.9) ? 'websocket' : 'polling'],
    auth,
    reconnection: false,
    forceNew: true,
    timeout: PATIENCE_MS,
  });
  const how = await Promise.race([
    new Promise<string>((resolve) => socket.once('connect', () => resolve('in'))),
    new Promise<string>((resolve) =>
      socket.once('connect_error', (error) => resolve(error.message)),
    ),
  ]);
  if (how === 'timeout') outcome.hangs.push(`handshake ${JSON.stringify(auth)}`);
  if (how === 'in') return socket;
  socket.disconnect();
  return null;
}

/** Whether a regular client can connect afterwards. */
async function admitsRegularClient(target: Target): Promise<boolean> {
  const plain = io(target.url, {
    transports: ['websocket'],
    auth: { token: await target.token() },
    forceNew: true,
  });
  const entered = await (
    plain
      .timeout(PATIENCE_MS)
      .emitWithAck('subscribe', { channel: `private-companies.${target.companyId}` }) as Promise<{
      ok: boolean;
    }>
  ).catch(() => null);
  plain.disconnect();
  return entered?.ok === true;
}

/**
 * Sends this many packets over sockets that are reopened every thirty. A hang is a handshake that
 * is neither accepted nor refused.
 */
export async function sendHostilePackets(target: Target, size: number, seed = 1): Promise<Outcome> {
  const d = createRandom(seed);
  const outcome = emptyOutcome();
  let token = await target.token();
  const runner = async () => {
    while (outcome.sent < size) {
      const socket = await openSocket(d, target, token, outcome);
      if (!socket) {
        outcome.sent++;
        outcome.answered++;
        continue;
      }
      for (let i = 0; i < 30 && socket.connected && outcome.sent < size; i++) {
        outcome.sent++;
        outcome.answered++;
        if (outcome.sent % RENEW_EVERY === 0) token = await target.token();
        if (d.one(0.15)) socket.io.engine.send(d.pick(frames));
        else {
          const { event, said } = randomPacket(d, target, token);
          socket.emit(event, ...said, ...(d.one(0.3) ? [() => {}] : []));
        }
        if (i % 10 === 9) await pause(5);
      }
      await pause(10);
      socket.disconnect();
    }
  };
  await Promise.all(Array.from({ length: 4 }, runner));
  if (!(await admitsRegularClient(target))) outcome.failures.push('nobody is let in any more');
  return outcome;
}
