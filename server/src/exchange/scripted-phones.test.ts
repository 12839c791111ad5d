import { afterAll, beforeAll, expect, test } from 'vitest';
import { loudnessAt } from '../platform/audio/loudness.ts';
import { readWav } from '../platform/audio/wav.ts';
import { noFaults, setFaults } from '../adapters/sandbox/fault-injection.ts';
import { startTestExchange, toyPitchHz, toySpeech } from '../../test/support/exchange-harness.ts';

type TestExchange = Awaited<ReturnType<typeof startTestExchange>>;
let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange({ unreachableAfterMs: 100 });
});
afterAll(() => exchange.close());

/** A busy machine is slow, not wrong. */
const patient = { timeout: 30_000 };
/** How loud a pitch ever is for a fifth of a second. */
const loudest = (samples: Int16Array = new Int16Array(0), hz: number): number =>
  Math.max(
    0,
    ...Array.from({ length: Math.max(0, Math.floor(samples.length / 800) - 3) }, (_, i) =>
      loudnessAt(samples.subarray(i * 800, i * 800 + 3200), hz, 16_000),
    ),
  );

interface Phone {
  state: string;
  doing: string;
  speaking: boolean;
  endedBecause: string | null;
  heard: { at: string; kind: string; what: string }[];
}
const look = (id: string): Promise<Phone> => exchange.http<Phone>('GET', `/sandbox/calls/${id}`);
const called = async (speech?: string): Promise<string> => {
  const { data } = await exchange.http<{ data: { id: string } }>('POST', '/sandbox/calls', {
    from: '+12125550147',
    to: '+14155552368',
    speech,
  });
  await exchange.told('inbound', data.id);
  return data.id;
};
let legs = 0;
const ring = async (
  onBehalfOf: string | null,
  timeoutSeconds = 20,
  number = '+12125550199',
): Promise<string> => {
  const leg = `leg-${++legs}`;
  await exchange.perform({
    do: 'createLeg',
    leg,
    to: { kind: 'phone', number },
    callerId: '+14155552368',
    timeoutSeconds,
    onBehalfOf,
  });
  return leg;
};

test('a caller hears the greeting, presses a key at the menu, and is distinguished from silence', async () => {
  const call = await called();
  expect((await look(call)).state).toBe('ringing');
  const gather = await exchange.perform(
    { do: 'answer', leg: call },
    { do: 'play', leg: call, prompts: [{ kind: 'say', text: 'Hello' }] },
    {
      do: 'gather',
      leg: call,
      prompts: [{ kind: 'say', text: 'Press a key, any key, for quite a while' }],
      maxDigits: 1,
      timeoutSeconds: 5,
    },
  );
  await exchange.told('legAnswered', call);
  await expect
    .poll(async () => (await look(call)).heard.at(-1)?.what, patient)
    .toContain('Press a key');
  await exchange.http('POST', `/sandbox/calls/${call}/keys`, { digits: '2' });
  expect(await exchange.ended(gather)).toMatchObject({ reason: 'digits', digits: '2' });
  const silent = await exchange.perform({
    do: 'gather',
    leg: call,
    prompts: [],
    maxDigits: 1,
    timeoutSeconds: 0.2,
  });
  expect(await exchange.ended(silent)).toMatchObject({ reason: 'timeout', digits: '' });
  expect((await look(call)).heard.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'ring ringing',
    'say Hello',
    'say Press a key, any key, for quite a while',
  ]);
  await exchange.perform({ do: 'hangup', leg: call });
  expect(await exchange.told('legEnded', call)).toMatchObject({ cause: 'hangup', call });
  expect(await look(call)).toMatchObject({ state: 'ended', endedBecause: 'hangup' });
});

test('keys pressed before the menu asks are not lost, and a finishing key ends a number of unknown length', async () => {
  const call = await called();
  await exchange.perform({ do: 'answer', leg: call });
  await exchange.told('legAnswered', call);
  await exchange.http('POST', `/sandbox/calls/${call}/keys`, { digits: '104#' });
  const gather = await exchange.perform({
    do: 'gather',
    leg: call,
    prompts: [{ kind: 'say', text: 'Which extension' }],
    maxDigits: 8,
    timeoutSeconds: 5,
    finishOn: '#',
  });
  expect(await exchange.ended(gather)).toMatchObject({ reason: 'digits', digits: '104' });
  expect((await look(call)).heard).toHaveLength(1);
});

test('a forwarded call rings outside, the confirm key is asked for, and both are joined and recorded with their speech', async () => {
  const call = await called('Apples please');
  await exchange.perform(
    { do: 'answer', leg: call },
    { do: 'hold', leg: call, on: true, musicId: null },
  );
  const leg = await ring(call);
  expect(await exchange.told('legRinging', leg)).toMatchObject({ call });
  const ringing = await exchange.http<{ [n: number]: unknown }>(
    'GET',
    '/sandbox/phones/+12125550199/ringing',
  );
  expect(ringing).toEqual([{ id: leg, from: '+12125550147', callerIdShown: '+14155552368' }]);
  await exchange.http('POST', `/sandbox/legs/${leg}/answer`, { keys: '1', speech: 'Zebras here' });
  const confirm = await exchange.perform({
    do: 'gather',
    leg,
    prompts: [{ kind: 'say', text: 'Press one' }],
    maxDigits: 1,
    timeoutSeconds: 5,
  });
  expect(await exchange.ended(confirm)).toMatchObject({ digits: '1' });
  await exchange.perform(
    { do: 'bridge', legs: [call, leg] },
    { do: 'startRecording', recordingId: 'rec-1', legs: [call, leg] },
  );
  for (const speaker of [call, leg])
    await expect.poll(async () => (await look(speaker)).speaking, patient).toBe(false);
  await exchange.http('POST', `/sandbox/calls/${call}/keys`, { digits: '5' });
  expect(await exchange.told('digits', call)).toMatchObject({ digits: '5' });
  await exchange.http('POST', `/sandbox/legs/${leg}/hangup`);
  expect(await exchange.told('legEnded', leg)).toMatchObject({ cause: 'hangup', call });
  const ready = await exchange.told('recordingReady');
  expect(ready).toMatchObject({ recordingId: 'rec-1', channels: 2, contentType: 'audio/wav' });
  expect(ready.durationMs).toBeGreaterThan(700);
  expect(ready.speech).toEqual([
    { leg: call, text: 'Apples please', startMs: expect.any(Number) },
    { leg, text: 'Zebras here', startMs: expect.any(Number) },
  ]);
  const wav = readWav(new Uint8Array(await (await fetch(ready.url)).arrayBuffer()));
  const [client, agent] = wav?.channels ?? [];
  expect(loudest(client, toyPitchHz('A'))).toBeGreaterThan(0.3);
  expect(loudest(client, toyPitchHz('Z'))).toBeLessThan(0.05);
  expect(loudest(agent, toyPitchHz('Z'))).toBeGreaterThan(0.3);
  expect(loudest(agent, toyPitchHz('A'))).toBeLessThan(0.05);
  expect(Math.max(...(ready.peaks?.[0] ?? []))).toBeGreaterThan(0.3);
  expect((await fetch(ready.url.replace(/signature=./, 'signature=x'))).status).toBe(404);
  expect((await look(call)).heard.map(({ kind }) => kind)).toEqual(['ring', 'ring', 'bridge']);
  expect((await look(call)).state).toBe('answered');
});

test('a voicemail holds the caller’s words, begins after the beep and ends by itself when the caller stops talking', async () => {
  const call = await called('Kindly call me back');
  await exchange.perform(
    { do: 'answer', leg: call },
    { do: 'play', leg: call, prompts: [{ kind: 'say', text: 'Nobody' }] },
    { do: 'record', leg: call, recordingId: 'vm-1', maxSeconds: 60, beep: true, silenceSeconds: 1 },
  );
  const ready = await exchange.told('recordingReady', call);
  expect(ready).toMatchObject({
    recordingId: 'vm-1',
    channels: 1,
    speech: [{ leg: call, text: 'Kindly call me back' }],
  });
  expect(ready.durationMs).toBeGreaterThan(1500);
  expect(ready.durationMs).toBeLessThan(6000);
  const wav = readWav(new Uint8Array(await (await fetch(ready.url)).arrayBuffer()));
  const samples = wav?.channels[0] ?? new Int16Array(0);
  expect(Math.abs(samples.length - ready.durationMs * 16)).toBeLessThan(16);
  expect(loudest(samples, toyPitchHz('K'))).toBeGreaterThan(0.3);
  expect((await look(call)).heard.map(({ kind }) => kind)).toEqual(['ring', 'say', 'beep']);
});

test('pressing # ends a message, and hanging up keeps the recording', async () => {
  const one = await called();
  await exchange.perform(
    { do: 'answer', leg: one },
    {
      do: 'record',
      leg: one,
      recordingId: 'vm-2',
      maxSeconds: 60,
      beep: false,
      silenceSeconds: 30,
    },
  );
  await expect
    .poll(
      () => exchange.exchange.recordings.isLeavingVoicemail(exchange.exchange.legs.get(one)!),
      patient,
    )
    .toBe(true);
  await exchange.http('POST', `/sandbox/calls/${one}/keys`, { digits: '#' });
  expect(await exchange.told('recordingReady', one)).toMatchObject({ recordingId: 'vm-2' });

  const two = await called();
  await exchange.perform(
    { do: 'answer', leg: two },
    {
      do: 'record',
      leg: two,
      recordingId: 'vm-3',
      maxSeconds: 60,
      beep: false,
      silenceSeconds: 30,
    },
  );
  await expect
    .poll(
      () => exchange.exchange.recordings.isLeavingVoicemail(exchange.exchange.legs.get(two)!),
      patient,
    )
    .toBe(true);
  await exchange.http('POST', `/sandbox/calls/${two}/hangup`);
  expect(await exchange.told('recordingReady', two)).toMatchObject({ recordingId: 'vm-3' });
  expect(exchange.events.filter(({ leg }) => leg === two).map(({ type }) => type)).toEqual([
    'inbound',
    'legAnswered',
    'legEnded',
    'recordingReady',
  ]);
});

test('an outside phone that does not answer, declines, or is called off ends the leg with its cause', async () => {
  const call = await called();
  const late = await ring(call, 0.2);
  const declined = await ring(call);
  const off = await ring(call);
  await exchange.http('POST', `/sandbox/legs/${declined}/reject`);
  await exchange.perform({ do: 'cancelLeg', leg: off, because: 'answeredElsewhere' });
  expect(await exchange.told('legEnded', late)).toMatchObject({ cause: 'noAnswer' });
  expect(await exchange.told('legEnded', declined)).toMatchObject({ cause: 'declined' });
  expect(await exchange.told('legEnded', off)).toMatchObject({ cause: 'cancelled' });
  expect((await look(off)).endedBecause).toBe('answeredElsewhere');
  expect((await exchange.http('POST', `/sandbox/legs/${off}/answer`)).status).toBe(409);
});

test('a bridge cuts short what a waiting caller was hearing, and says so', async () => {
  const call = await called();
  await exchange.perform({ do: 'answer', leg: call });
  const prompt = await exchange.perform({
    do: 'play',
    leg: call,
    prompts: [
      { kind: 'say', text: 'All of our people are talking to others, please wait a while longer' },
    ],
  });
  const leg = await ring(call);
  await exchange.http('POST', `/sandbox/legs/${leg}/answer`);
  await exchange.told('legAnswered', leg);
  await exchange.perform({ do: 'bridge', legs: [call, leg] });
  expect(await exchange.ended(prompt)).toMatchObject({ reason: 'interrupted' });
});

test('a refused caller learns why, and was never answered', async () => {
  const call = await called();
  await exchange.perform({ do: 'reject', leg: call, because: 'notInService' });
  expect(await exchange.told('legEnded', call)).toMatchObject({ cause: 'rejected' });
  expect(await look(call)).toMatchObject({ state: 'ended', endedBecause: 'notInService' });
});

test('the same command twice has the effect of one', async () => {
  const call = await called();
  await exchange.perform(
    { do: 'answer', leg: call },
    { id: 'once', do: 'play', leg: call, prompts: [{ kind: 'say', text: 'Hi' }] },
  );
  await exchange.perform({
    id: 'once',
    do: 'play',
    leg: call,
    prompts: [{ kind: 'say', text: 'Hi' }],
  });
  await exchange.ended('once');
  await exchange.http('POST', `/sandbox/calls/${call}/hangup`);
  await exchange.told('legEnded', call);
  expect(
    exchange.events.filter((event) => event.type === 'promptEnded' && event.commandId === 'once'),
  ).toHaveLength(1);
});

test('emergency numbers are refused, in words, in both directions', async () => {
  for (const to of ['911', '1911', '+1911'])
    expect(
      await exchange.http('POST', '/sandbox/calls', { from: '+12125550147', to }),
    ).toMatchObject({
      status: 422,
      message: expect.stringContaining('911'),
    });
  const leg = await ring(null, 20, '911');
  expect(await exchange.told('legEnded', leg)).toMatchObject({ cause: 'failed' });
});

test('a phone calls with its number withheld, from a short code or under a name, as carriers send it', async () => {
  for (const from of ['Restricted', 'anonymous', '+266696687', '+2562533', '68849', 'ACMEBANK']) {
    const { data } = await exchange.http<{ data: { id: string } }>('POST', '/sandbox/calls', {
      from,
      to: '+14155552368',
    });
    expect(await exchange.told('inbound', data.id)).toMatchObject({ from });
    await exchange.http('POST', `/sandbox/calls/${data.id}/hangup`);
  }
  for (const from of ['', '12', '<b>hi</b>', 'x'.repeat(50)])
    expect(
      await exchange.http('POST', '/sandbox/calls', { from, to: '+14155552368' }),
      from,
    ).toMatchObject({ status: 422 });
});

test('a user with no page open is given up as unreachable', async () => {
  await exchange.perform({
    do: 'createLeg',
    leg: 'app-1',
    to: { kind: 'app', userId: 7 },
    callerId: '+14155552368',
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
  expect(await exchange.told('legEnded', 'app-1')).toMatchObject({ cause: 'failed' });
});

test('a leg the exchange never knew is reported as over, and asked about it has no answer', async () => {
  await exchange.perform({ do: 'hangup', leg: 'from-before-the-restart' });
  expect(await exchange.told('legEnded', 'from-before-the-restart')).toMatchObject({
    cause: 'failed',
  });
  expect(await exchange.voice.getLegStatus('from-before-the-restart')).toBeNull();
  const call = await called();
  expect(await exchange.voice.getLegStatus(call)).toEqual({ state: 'ringing', cause: null });
  await exchange.http('POST', `/sandbox/calls/${call}/hangup`);
  expect(await exchange.voice.getLegStatus(call)).toEqual({ state: 'ended', cause: 'hangup' });
});

test('events wait for a product that is away and come in order', async () => {
  exchange.product.status = 500;
  const { data } = await exchange.http<{ data: { id: string } }>('POST', '/sandbox/calls', {
    from: '+12125550147',
    to: '+14155552368',
  });
  await exchange.perform({ do: 'answer', leg: data.id });
  await exchange.http('POST', `/sandbox/calls/${data.id}/hangup`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  exchange.product.status = 204;
  await exchange.told('legEnded', data.id);
  expect(exchange.events.filter(({ leg }) => leg === data.id).map(({ type }) => type)).toEqual([
    'inbound',
    'legAnswered',
    'legEnded',
  ]);
  const seqs = exchange.events.filter(({ leg }) => leg === data.id).map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect(new Set(seqs).size).toBe(3);
});

test('trouble: errors do nothing, dropped answers did something, events come twice, an outage only delays', async () => {
  const call = await called();
  try {
    setFaults({ errorRate: 1 });
    await expect(exchange.perform({ do: 'answer', leg: call })).rejects.toThrow('500');
    expect((await look(call)).state).toBe('ringing');
    setFaults({ dropAfterEffectRate: 1 });
    await expect(exchange.perform({ do: 'answer', leg: call })).rejects.toThrow();
    expect((await look(call)).state).toBe('answered');
    setFaults({ duplicateRate: 1 });
    await exchange.http('POST', `/sandbox/calls/${call}/hangup`);
    await expect
      .poll(
        () =>
          exchange.events.filter((event) => event.leg === call && event.type === 'legEnded').length,
        patient,
      )
      .toBe(2);
    setFaults({ outage: true });
    await expect(exchange.perform({ do: 'hangup', leg: call })).rejects.toThrow('503');
    const { data } = await exchange.http<{ data: { id: string } }>('POST', '/sandbox/calls', {
      from: '+12125550147',
      to: '+14155552368',
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(exchange.events.some(({ leg }) => leg === data.id)).toBe(false);
    setFaults(noFaults);
    await exchange.told('inbound', data.id);
  } finally {
    setFaults(noFaults);
  }
});

test('commands need the secret', async () => {
  const answer = await fetch(`${exchange.url}/commands`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sandbox-secret': 'guess' },
    body: '{"commands":[]}',
  });
  expect(answer.status).toBe(403);
});

test('above its capacity the exchange answers busy, and the product never hears of the call', async () => {
  const small = await startTestExchange({ maxCalls: 1 });
  try {
    const call = async (): Promise<{ id: string; state: string }> =>
      (
        await small.http<{ data: { id: string; state: string } }>('POST', '/sandbox/calls', {
          from: '+12125550147',
          to: '+14155552368',
        })
      ).data;
    for (let i = 0; i < 20; i++) expect(await call()).toMatchObject({ state: 'ringing' });
    const refused = await call();
    expect(refused.state).toBe('ended');
    expect(await small.http('GET', `/sandbox/calls/${refused.id}`)).toMatchObject({
      endedBecause: 'busy',
    });
    await expect.poll(() => small.events.length, patient).toBe(20);
    expect(small.events.some(({ leg }) => leg === refused.id)).toBe(false);
  } finally {
    await small.close();
  }
});

test('speech synthesis that failed is tried again, so that a call is never silent on a busy machine', async () => {
  let failures = 1;
  const busy = await startTestExchange({
    speech: {
      ...toySpeech,
      synthesize: (words) =>
        failures-- > 0
          ? Promise.reject(new Error('it took too long'))
          : toySpeech.synthesize(words),
    },
  });
  try {
    const { data } = await busy.http<{ data: { id: string } }>('POST', '/sandbox/calls', {
      from: '+12125550147',
      to: '+14155552368',
      speech: 'Kindly call me back',
    });
    await busy.told('inbound', data.id);
    await busy.perform(
      { do: 'answer', leg: data.id },
      {
        do: 'record',
        leg: data.id,
        recordingId: 'vm-busy',
        maxSeconds: 20,
        beep: false,
        silenceSeconds: 5,
      },
    );
    await expect.poll(() => busy.exchange.legs.get(data.id)!.spokenTexts.length, patient).toBe(1);
    await busy.perform({ do: 'hangup', leg: data.id });
    expect(await busy.told('recordingReady')).toMatchObject({
      recordingId: 'vm-busy',
      speech: [{ leg: data.id, text: 'Kindly call me back' }],
    });
  } finally {
    await busy.close();
  }
});

test('the phone tells a menu, a greeting, ringing, hold and a voicemail apart', async () => {
  const call = await called('Please call me back about my tooth, it has ached for days now');
  const doing = async (): Promise<string> => (await look(call)).doing;
  expect(await doing()).toBe('calling');
  const long = [
    { kind: 'say' as const, text: 'A sentence that takes quite a while to be said to its end' },
  ];
  const gather = await exchange.perform(
    { do: 'answer', leg: call },
    { do: 'gather', leg: call, prompts: long, maxDigits: 1, timeoutSeconds: 5 },
  );
  await exchange.told('legAnswered', call);
  await expect.poll(doing, patient).toBe('menu');
  await exchange.http('POST', `/sandbox/calls/${call}/keys`, { digits: '2' });
  await exchange.ended(gather);
  await exchange.perform({ do: 'hold', leg: call, on: true, musicId: null });
  expect(await doing(), 'the tone alone is nobody’s phone').toBe('waiting');
  const leg = await ring(call);
  await exchange.told('legRinging', leg);
  expect(await doing()).toBe('ringing');
  await exchange.perform({ do: 'hold', leg: call, on: true, musicId: 1 });
  expect(await doing()).toBe('hold');
  await exchange.http('POST', `/sandbox/legs/${leg}/answer`, {});
  await exchange.told('legAnswered', leg);
  await exchange.perform(
    { do: 'hold', leg: call, on: false, musicId: null },
    { do: 'bridge', legs: [call, leg] },
  );
  await expect.poll(doing, patient).toBe('talking');
  await exchange.http('POST', `/sandbox/legs/${leg}/hangup`);
  await exchange.told('legEnded', leg);
  await exchange.perform({
    do: 'record',
    leg: call,
    recordingId: 'vm-doing',
    maxSeconds: 60,
    beep: true,
    silenceSeconds: 5,
  });
  await expect.poll(doing, patient).toBe('voicemail');
  await exchange.perform({ do: 'hangup', leg: call });
  await exchange.told('legEnded', call);
  expect(await doing()).toBe('ended');
  await exchange.told('recordingReady', call);
});
