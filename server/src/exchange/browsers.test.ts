import { onlyExchange } from '../../test/support/only-exchange.ts';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loudnessAt } from '../platform/audio/loudness.ts';
import { writeWav } from '../platform/audio/wav.ts';
import { mediaProxy } from '../adapters/sandbox/media-proxy.ts';
import { mintMediaToken } from './media-token.ts';
import { openTestBrowser, type BrowserCall } from '../../test/support/browser-phone.ts';
import { startTestExchange, toyPitchHz } from '../../test/support/exchange-harness.ts';

let exchange: Awaited<ReturnType<typeof startTestExchange>>;
beforeAll(async () => {
  exchange = await startTestExchange({
    fetchFile: (id) =>
      Promise.resolve(
        id === 'greeting'
          ? writeWav({
              sampleRate: 8000,
              channels: [
                Int16Array.from(
                  { length: 8000 },
                  (_, i) => 12_000 * Math.sin((2 * Math.PI * 300 * i) / 8000),
                ),
              ],
            })
          : null,
      ),
  });
});
afterAll(() => exchange.close());

const handset = (number = '+12125550147', hz = 620) =>
  openTestBrowser(
    exchange.url,
    mintMediaToken(
      { kind: 'handset', number, device: `h${number}` },
      exchange.secret,
      Date.now() + 60_000,
    ),
    hz,
  );
const desk = async (userId: number, device: string, hz = 910) =>
  openTestBrowser(
    exchange.url,
    (await exchange.voice.createClientToken({ companyId: 1, userId, identity: 'a', device })).token,
    hz,
  );
const level = (call: BrowserCall, hz: number, ms = 200): number =>
  loudnessAt(call.heard(ms), hz, 16_000);
const hears = (call: BrowserCall, hz: number): Promise<void> =>
  expect.poll(() => level(call, hz), { timeout: 30_000, interval: 20 }).toBeGreaterThan(0.1);
/**
 * What sounds once, each after the one before: however late one looks, it was heard. Looked for
 * from where the last one was found, in steps of 100 ms.
 */
const heardInTurn = (call: BrowserCall, ...pitches: number[]): Promise<void> =>
  expect
    .poll(
      () => {
        const all = call.heard(8000);
        let from = 0;
        return pitches.filter((hz) => {
          for (; (from + 2) * 1600 <= all.length; from++)
            if (loudnessAt(all.subarray(from * 1600, from * 1600 + 3200), hz, 16_000) > 0.1) {
              from += 2;
              return true;
            }
          return false;
        });
      },
      { timeout: 30_000, interval: 20 },
    )
    .toEqual(pitches);
let legs = 0;
const ringUser = async (
  userId: number,
  onBehalfOf: string | null,
  device?: string,
): Promise<string> => {
  const leg = `app-leg-${++legs}`;
  await exchange.perform({
    do: 'createLeg',
    leg,
    to: { kind: 'app', userId, device },
    callerId: '+12125550147',
    callerName: 'Ada',
    timeoutSeconds: 20,
    onBehalfOf,
  });
  return leg;
};

test('what is played is what is heard: ringing, a spoken prompt, a file, the beep, hold music', async () => {
  const phone = await handset();
  const call = await phone.dial('+14155552368');
  await expect
    .poll(() => Math.min(level(call, 440), level(call, 480)), { timeout: 30_000, interval: 20 })
    .toBeGreaterThan(0.05);
  const prompts = await exchange.perform(
    { do: 'answer', leg: call.leg },
    {
      do: 'play',
      leg: call.leg,
      prompts: [
        { kind: 'say', text: 'Kindly wait, kindly wait' },
        { kind: 'play', fileId: 'greeting' },
        { kind: 'beep' },
      ],
    },
  );
  await heardInTurn(call, toyPitchHz('K'), 300, 1000);
  expect(await exchange.ended(prompts)).toMatchObject({ reason: 'done' });
  await exchange.perform({ do: 'hold', leg: call.leg, on: true, musicId: 3 });
  await expect
    .poll(() => call.heard(500).reduce((most, value) => Math.max(most, value), 0), {
      timeout: 30_000,
    })
    .toBeGreaterThan(2000);
  expect(await phone.told('held', call.leg)).toMatchObject({ on: true });
  expect(await phone.told('heard', call.leg)).toMatchObject({ kind: 'ring' });
  await phone.say('hangup', { leg: call.leg });
  expect(await exchange.told('legEnded', call.leg)).toMatchObject({ cause: 'hangup' });
  call.disconnect();
  phone.leave();
}, 180_000);

test('all devices of a user ring, the first answer wins, the others are told; the pair hear each other and not themselves', async () => {
  const [phone, one, other] = await Promise.all([
    handset('+12125550148', 620),
    desk(11, 'laptop', 910),
    desk(11, 'tablet', 700),
  ]);
  const call = await phone.dial('+14155552368');
  await exchange.perform({ do: 'answer', leg: call.leg });
  const leg = await ringUser(11, call.leg);
  expect(await one.told('ring', leg)).toMatchObject({
    from: '+12125550147',
    callerName: 'Ada',
    to: '+14155552368',
  });
  await other.told('ring', leg);
  const answers = await Promise.allSettled([one.answer(leg), other.answer(leg)]);
  const won = answers.findIndex(({ status }) => status === 'fulfilled');
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const agent = (answers[won] as PromiseFulfilledResult<BrowserCall>).value;
  expect(await exchange.told('legAnswered', leg)).toMatchObject({
    by: { device: won === 0 ? 'laptop' : 'tablet' },
  });
  expect(await (won === 0 ? other : one).told('ended', leg)).toMatchObject({
    because: 'answeredElsewhere',
  });
  await exchange.perform({ do: 'bridge', legs: [call.leg, leg] });
  await hears(call, won === 0 ? 910 : 700);
  await hears(agent, 620);
  expect(level(agent, won === 0 ? 910 : 700)).toBeLessThan(0.02);
  expect(level(call, 620)).toBeLessThan(0.02);
  // A whisper into a call is heard by the one it is for.
  await exchange.perform({
    do: 'whisper',
    leg,
    prompts: [{ kind: 'say', text: 'Dogs on the line' }],
  });
  await heardInTurn(agent, toyPitchHz('D'));
  expect(level(call, toyPitchHz('D'))).toBeLessThan(0.05);
  call.pressKey('7');
  expect(await exchange.told('digits', call.leg)).toMatchObject({ digits: '7' });
  for (const plugged of [call, agent]) plugged.disconnect();
  await exchange.perform({ do: 'hangup', leg });
  for (const device of [phone, one, other]) device.leave();
}, 180_000);

test('a call placed from one device rings that device alone', async () => {
  const [one, other] = await Promise.all([desk(12, 'laptop'), desk(12, 'tablet')]);
  const leg = await ringUser(12, null, 'tablet');
  await other.told('ring', leg);
  await other.say('reject', { leg });
  expect(await exchange.told('legEnded', leg)).toMatchObject({ cause: 'declined' });
  expect(one.said.filter(({ type }) => type === 'ring')).toEqual([]);
  one.leave();
  other.leave();
});

test('two pages of one device are two telephones: the one that did not answer stops ringing', async () => {
  const [one, other] = await Promise.all([desk(16, 'laptop'), desk(16, 'laptop')]);
  const leg = await ringUser(16, null);
  await Promise.all([one.told('ring', leg), other.told('ring', leg)]);
  const call = await one.answer(leg);
  expect(await other.told('ended', leg)).toMatchObject({ because: 'answeredElsewhere' });
  await expect(other.say('hangup', { leg })).rejects.toThrow('409');
  await one.say('hangup', { leg });
  expect(await exchange.told('legEnded', leg)).toMatchObject({ cause: 'hangup' });
  call.disconnect();
  one.leave();
  other.leave();
});

test('a device that comes online while its user is rung rings too', async () => {
  const leg = await ringUser(13, null);
  const late = await desk(13, 'phone');
  await late.told('ring', leg);
  await exchange.told('legRinging', leg);
  await exchange.perform({ do: 'cancelLeg', leg, because: 'callerLeft' });
  expect(await late.told('ended', leg)).toMatchObject({ because: 'callerLeft' });
  late.leave();
});

test('an outside phone held in a browser takes a forwarded call, and answering by script tells it so', async () => {
  const phone = await handset('+12125550161');
  await exchange.perform({
    do: 'createLeg',
    leg: 'fwd-1',
    to: { kind: 'phone', number: '2125550161' },
    callerId: '+14155552368',
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
  await phone.told('ring', 'fwd-1');
  await exchange.http('POST', '/sandbox/legs/fwd-1/answer');
  expect(await phone.told('ended', 'fwd-1')).toMatchObject({ because: 'answeredElsewhere' });
  await exchange.perform({ do: 'hangup', leg: 'fwd-1' });
  phone.leave();
});

test('a phone may let the exchange speak for it, and those words are known to the recording', async () => {
  const [phone, agent] = await Promise.all([handset('+12125550149', 620), desk(14, 'laptop')]);
  const call = await phone.dial('+14155552368');
  await exchange.perform({ do: 'answer', leg: call.leg });
  const leg = await ringUser(14, call.leg);
  const agentCall = await agent.answer(leg);
  await exchange.perform(
    { do: 'bridge', legs: [call.leg, leg] },
    { do: 'startRecording', recordingId: 'spoken', legs: [call.leg, leg] },
  );
  await hears(agentCall, 620);
  await phone.say('speak', { leg: call.leg, text: 'Violets are blue, violets are blue' });
  await heardInTurn(agentCall, toyPitchHz('V'));
  await hears(agentCall, 620);
  await exchange.perform({ do: 'stopRecording', recordingId: 'spoken' });
  expect((await exchange.told('recordingReady')).speech).toMatchObject([
    { leg: call.leg, text: 'Violets are blue, violets are blue' },
  ]);
  call.disconnect();
  agentCall.disconnect();
  phone.leave();
  agent.leave();
}, 180_000);

test('a page whose stream is cut and comes back keeps its call; one that never comes back hangs up', async () => {
  const phone = await handset('+12125550150');
  const call = await phone.dial('+14155552368');
  await exchange.perform({ do: 'answer', leg: call.leg });
  await expect.poll(() => call.packets().received, { timeout: 30_000 }).toBeGreaterThan(20);
  phone.leave();
  await new Promise((resolve) => setTimeout(resolve, 4500));
  expect(await exchange.voice.getLegStatus(call.leg)).toMatchObject({ state: 'answered' });
  // Whoever guesses the session of another number gets a session of their own.
  const token = (number: string): string =>
    mintMediaToken(
      { kind: 'handset', number, device: 'again' },
      exchange.secret,
      Date.now() + 60_000,
    );
  const outsider = await openTestBrowser(
    exchange.url,
    token('+12125550199'),
    0,
    undefined,
    phone.session,
  );
  expect(outsider.session).not.toBe(phone.session);
  const back = await openTestBrowser(
    exchange.url,
    token('+12125550150'),
    0,
    undefined,
    phone.session,
  );
  expect(back.session).toBe(phone.session);
  expect(await back.told('joined')).toMatchObject({ ringing: [call.leg] });
  for (const page of [outsider, back]) page.leave();
  call.disconnect();
  expect(await exchange.told('legEnded', call.leg)).toMatchObject({ cause: 'hangup' });
}, 180_000);

test('above its capacity a browser’s call is refused in words', async () => {
  const small = await startTestExchange({ maxCalls: 1 });
  const phones = await Promise.all(
    [1, 2, 3].map((n) =>
      openTestBrowser(
        small.url,
        mintMediaToken(
          { kind: 'handset', number: `+1212555017${n}`, device: `d${n}` },
          small.secret,
          Date.now() + 60_000,
        ),
      ),
    ),
  );
  const calls = [await phones[0]?.dial('+14155552368'), await phones[1]?.dial('+14155552368')];
  await expect(phones[2]?.dial('+14155552368')).rejects.toThrow('All lines are busy.');
  for (const call of calls) call?.disconnect();
  for (const phone of phones) phone.leave();
  await small.close();
}, 180_000);

test('emergency calls, the app’s own dialling and expired passes are refused', async () => {
  const [phone, agent] = await Promise.all([handset('+12125550151'), desk(15, 'laptop')]);
  await expect(phone.dial('911')).rejects.toThrow('Dial 911 from a real phone');
  await expect(agent.dial('+14155552368')).rejects.toThrow('403');
  await expect(
    openTestBrowser(
      exchange.url,
      mintMediaToken(
        { kind: 'handset', number: '+12125550147', device: 'x' },
        exchange.secret,
        Date.now() - 1,
      ),
    ),
  ).rejects.toThrow('401');
  await expect(
    openTestBrowser(
      exchange.url,
      mintMediaToken(
        { kind: 'handset', number: '+12125550147', device: 'x' },
        'another secret',
        Date.now() + 60_000,
      ),
    ),
  ).rejects.toThrow('401');
  phone.leave();
  agent.leave();
});

test('through the web process only the media plane can be reached', async () => {
  const web = Fastify({ forceCloseConnections: true });
  await web.register(mediaProxy, {
    exchanges: onlyExchange(() => exchange.url),
    secret: exchange.secret,
  });
  const url = await web.listen({ port: 0, host: '127.0.0.1' });
  try {
    const phone = await openTestBrowser(
      url,
      mintMediaToken(
        { kind: 'handset', number: '+12125550152', device: 'p' },
        exchange.secret,
        Date.now() + 60_000,
      ),
    );
    const call = await phone.dial('+14155552368');
    await exchange.told('inbound', call.leg);
    expect(
      (
        await fetch(`${url}/media/../commands`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"commands":[]}',
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await fetch(`${url}/media/%2e%2e/commands`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"commands":[]}',
        })
      ).status,
    ).toBeGreaterThanOrEqual(401);
    // Leaving is noticed through the proxy too.
    call.disconnect();
    phone.leave();
    expect(await exchange.told('legEnded', call.leg)).toMatchObject({ cause: 'hangup' });
  } finally {
    await web.close();
  }
}, 180_000);
