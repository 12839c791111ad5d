import { afterAll, beforeAll, expect, test } from 'vitest';
import { loudnessAt } from '../platform/audio/loudness.ts';
import { readWav } from '../platform/audio/wav.ts';
import { mintMediaToken } from './media-token.ts';
import { openTestBrowser, type BrowserCall } from '../../test/support/browser-phone.ts';
import { startTestExchange } from '../../test/support/exchange-harness.ts';

let exchange: Awaited<ReturnType<typeof startTestExchange>>;
beforeAll(async () => {
  exchange = await startTestExchange();
});
afterAll(() => exchange.close());

/** Each speaks a steady tone of their own. */
const hz = { caller: 620, agent: 910, third: 1250, chief: 1600 };
type Who = keyof typeof hz;
const level = (call: BrowserCall, who: Who, ms = 300): number =>
  loudnessAt(call.heard(ms), hz[who], 16_000);
/** Exactly these are heard, after a moment. */
const hearsOnly = async (
  calls: Record<Who, BrowserCall>,
  ear: Who,
  voices: Who[],
): Promise<void> => {
  const all = Object.keys(hz) as Who[];
  await expect
    .poll(() => all.filter((voice) => level(calls[ear], voice) > 0.05), {
      timeout: 30_000,
      interval: 50,
      message: `${ear} hears ${voices.join(' and ') || 'nobody'}`,
    })
    .toEqual(all.filter((voice) => voices.includes(voice)));
  expect(level(calls[ear], ear), `${ear} does not hear themselves`).toBeLessThan(0.03);
};

test('in a room everyone hears the others but not themselves, a listener is not heard, a whisper is heard by one; a third participant is recorded on the company’s channel', async () => {
  const phone = await openTestBrowser(
    exchange.url,
    mintMediaToken(
      { kind: 'handset', number: '+12125550147', device: 'h' },
      exchange.secret,
      Date.now() + 60_000,
    ),
    hz.caller,
  );
  const desk = async (userId: number, who: Who) =>
    openTestBrowser(
      exchange.url,
      (await exchange.voice.createClientToken({ companyId: 1, userId, identity: who, device: who }))
        .token,
      hz[who],
    );
  const pages = {
    agent: await desk(1, 'agent'),
    third: await desk(2, 'third'),
    chief: await desk(3, 'chief'),
  };
  const caller = await phone.dial('+14155552368');
  await exchange.perform({ do: 'answer', leg: caller.leg });
  const calls = { caller } as Record<Who, BrowserCall>;
  for (const [i, who] of (['agent', 'third', 'chief'] as const).entries()) {
    await exchange.perform({
      do: 'createLeg',
      leg: who,
      to: { kind: 'app', userId: i + 1, companyId: 1 },
      callerId: '+12125550147',
      timeoutSeconds: 20,
      onBehalfOf: caller.leg,
    });
    await pages[who].told('ring', who);
    calls[who] = await pages[who].answer(who);
    await exchange.told('legAnswered', who);
  }
  const [c, a, t, s] = [caller.leg, 'agent', 'third', 'chief'];
  await exchange.perform(
    { do: 'bridge', legs: [c, a] },
    { do: 'startRecording', recordingId: 'three', legs: [c, a] },
  );
  await hearsOnly(calls, 'caller', ['agent']);

  const sit = (leg: string, role: 'talk' | 'listen' | 'whisper', to?: string[]) => ({
    do: 'join' as const,
    room: 'r',
    leg,
    role,
    to,
  });
  await exchange.perform(sit(c, 'talk'), sit(a, 'talk'), sit(s, 'listen'));
  await hearsOnly(calls, 'chief', ['caller', 'agent']);
  await hearsOnly(calls, 'caller', ['agent']);
  await hearsOnly(calls, 'agent', ['caller']);

  await exchange.perform(sit(s, 'whisper', [a]));
  await hearsOnly(calls, 'agent', ['caller', 'chief']);
  await hearsOnly(calls, 'caller', ['agent']);

  await exchange.perform(sit(s, 'talk'), sit(t, 'talk'), {
    do: 'recordSides',
    recordingId: 'three',
    sides: [[c], [a, t]],
  });
  await hearsOnly(calls, 'caller', ['agent', 'third', 'chief']);
  await hearsOnly(calls, 'third', ['agent', 'caller', 'chief']);
  await hearsOnly(calls, 'chief', ['agent', 'caller', 'third']);
  await new Promise((resolve) => setTimeout(resolve, 1200));

  // The agent goes: the others talk on, and the recording goes on.
  await exchange.perform({ do: 'hangup', leg: a });
  await hearsOnly(calls, 'caller', ['third', 'chief']);
  expect(exchange.events.some(({ type }) => type === 'recordingReady')).toBe(false);
  await exchange.perform({ do: 'leave', room: 'r', leg: s });
  await hearsOnly(calls, 'chief', []);
  await hearsOnly(calls, 'caller', ['third']);
  await exchange.perform({ do: 'bridge', legs: [c, t] });
  await hearsOnly(calls, 'caller', ['third']);
  await exchange.perform({ do: 'hangup', leg: c });
  const ready = await exchange.told('recordingReady');
  expect(ready.channels).toBe(2);
  const wav = readWav(new Uint8Array(await (await fetch(ready.url)).arrayBuffer()));
  const [callerSide = new Int16Array(0), companySide = new Int16Array(0)] = wav?.channels ?? [];
  const loudest = (pcm: Int16Array, pitch: number): number => {
    let most = 0;
    for (let from = 0; from + 4800 <= pcm.length; from += 4800)
      most = Math.max(most, loudnessAt(pcm.subarray(from, from + 4800), pitch, 16_000));
    return most;
  };
  expect(
    [
      loudest(callerSide, hz.caller),
      loudest(companySide, hz.agent),
      loudest(companySide, hz.third),
    ].every((loud) => loud > 0.1),
  ).toBe(true);
  expect(
    [
      loudest(callerSide, hz.agent),
      loudest(callerSide, hz.third),
      loudest(companySide, hz.caller),
      loudest(companySide, hz.chief),
    ].every((loud) => loud < 0.05),
  ).toBe(true);
  for (const call of Object.values(calls)) call.disconnect();
  for (const page of [phone, ...Object.values(pages)]) page.leave();
}, 180_000);

test('a user in two companies is rung only where the app is open in the right one', async () => {
  const here = await openTestBrowser(
    exchange.url,
    (
      await exchange.voice.createClientToken({
        companyId: 1,
        userId: 9,
        identity: 'a',
        device: 'one',
      })
    ).token,
    700,
  );
  const there = await openTestBrowser(
    exchange.url,
    (
      await exchange.voice.createClientToken({
        companyId: 2,
        userId: 9,
        identity: 'a',
        device: 'two',
      })
    ).token,
    700,
  );
  await exchange.perform({
    do: 'createLeg',
    leg: 'second-company',
    to: { kind: 'app', userId: 9, companyId: 2 },
    callerId: '+12125550147',
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
  await there.told('ring', 'second-company');
  await expect(
    Promise.race([
      here.told('ring', 'second-company'),
      new Promise((_, no) => setTimeout(() => no(new Error('silent')), 500)),
    ]),
  ).rejects.toThrow('silent');
  await exchange.perform({ do: 'cancelLeg', leg: 'second-company', because: 'timeout' });
  here.leave();
  there.leave();
});
