/**
 * Two real browsers and the sandbox's exchange, run manually: `npx tsx e2e/media-proof.ts`.
 * A test phone calls, hears the greeting, presses a key and is bridged to an agent's browser; each
 * must hear the other's tone and not its own; the recording must hold both, one per channel. Prints
 * what it measured.
 */
import { onlyExchange } from '../server/test/support/only-exchange.ts';
import Fastify from 'fastify';
import { mediaProxy } from '../server/src/adapters/sandbox/media-proxy.ts';
import { sandboxVoiceRoutes } from '../server/src/adapters/sandbox/routes.ts';
import { startTestExchange, toyPitchHz } from '../server/test/support/exchange-harness.ts';
import { loudnessAt } from '../server/src/platform/audio/loudness.ts';
import { readWav } from '../server/src/platform/audio/wav.ts';
import { launchChromium } from '../tools/chromium.ts';
import {
  openPhonePage,
  inboundStats,
  joinCall,
  measureFrequencies,
  sleep,
  waitUntil,
} from './browser-phone.ts';

const callerHz = 620;
const agentHz = 910;

const failures: string[] = [];
function expectWithin(promise: string, holds: boolean, measured: unknown): void {
  console.log(
    `${holds ? 'ok  ' : 'FAIL'} ${promise} (${typeof measured === 'string' ? measured : JSON.stringify(measured)})`,
  );
  if (!holds) failures.push(promise);
}

const world = await startTestExchange();
const web = Fastify({ forceCloseConnections: true });
await web.register(mediaProxy, { exchanges: onlyExchange(() => world.url), secret: world.secret });
await web.register(sandboxVoiceRoutes, {
  exchanges: onlyExchange(() => world.url),
  secret: world.secret,
});
web.get('/', (_request, reply) =>
  reply.type('text/html').send('<!doctype html><title>phone</title>'),
);
const origin = await web.listen({ port: 0, host: '127.0.0.1' });

const browsers = [await launchChromium(), await launchChromium()] as const;

try {
  const caller = await openPhonePage(browsers[0], origin);
  const agent = await openPhonePage(browsers[1], origin);
  const { data } = (await (
    await fetch(`${origin}/sandbox/handset/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number: '212-555-0147' }),
    })
  ).json()) as { data: { token: string } };
  await joinCall(caller, data.token, callerHz);
  await joinCall(
    agent,
    (
      await world.voice.createClientToken({
        companyId: 1,
        userId: 7,
        identity: 'agent',
        device: 'desk',
      })
    ).token,
    agentHz,
  );

  // The call arrives and is greeted.
  let startedMs = performance.now();
  const call = await caller.evaluate(() => window.phone.dial('+1 415 555 2368'));
  await world.told('inbound', call);
  expectWithin(
    'a call reaches the product',
    true,
    `${Math.round(performance.now() - startedMs)} ms after dialling`,
  );
  const ringing = await waitUntil(
    () => measureFrequencies(caller, 440, 480),
    ([a = 0, b = 0]) => a > 0.02 && b > 0.02,
  );
  expectWithin(
    'the caller hears ringing before the answer',
    ringing.every((level) => level > 0.02),
    ringing,
  );
  startedMs = performance.now();
  const greeting = await world.perform(
    { do: 'answer', leg: call },
    {
      do: 'play',
      leg: call,
      prompts: [
        { kind: 'say', text: 'Kindly hold on for a moment or two, we are with you in a while.' },
      ],
    },
  );
  const heard = await waitUntil(
    () => measureFrequencies(caller, toyPitchHz('K')),
    ([level = 0]) => level > 0.1,
  );
  expectWithin(
    'the caller hears the greeting',
    (heard[0] ?? 0) > 0.1,
    `level ${heard[0]?.toFixed(2)}, first heard after ${Math.round(performance.now() - startedMs)} ms`,
  );
  await world.ended(greeting);
  const gather = await world.perform({
    do: 'gather',
    leg: call,
    prompts: [],
    maxDigits: 1,
    timeoutSeconds: 10,
  });
  await caller.evaluate((leg) => window.phone.keys(leg, '2'), call);
  expectWithin(
    'a key by the control channel arrives',
    (await world.ended(gather)).digits === '2',
    '2',
  );
  const gather2 = await world.perform({
    do: 'gather',
    leg: call,
    prompts: [],
    maxDigits: 2,
    timeoutSeconds: 10,
  });
  await caller
    .evaluate(() => {
      // The browser's own DTMF events (RFC 4733), which the client doesn't use: sent through the
      // page's connection.
      const senders = (window as unknown as { senders: RTCRtpSender[] }).senders;
      senders.at(-1)?.dtmf?.insertDTMF('5#', 120, 70);
    })
    .catch((trouble: unknown) => console.log(String(trouble)));
  const digits = (await world.ended(gather2, 11_000)).digits;
  expectWithin('keys by RFC 4733 arrive once each', digits === '5#', digits);

  // The agent's browser rings, answers, and they are bridged.
  await world.perform(
    { do: 'hold', leg: call, on: true, musicId: 1 },
    {
      do: 'createLeg',
      leg: 'agent-leg',
      to: { kind: 'app', userId: 7 },
      callerId: '+12125550147',
      callerName: 'Ada',
      timeoutSeconds: 20,
      onBehalfOf: call,
    },
  );
  await agent.waitForFunction(() => window.said.length > 0);
  startedMs = performance.now();
  await agent.evaluate(() => window.phone.answer('agent-leg'));
  await world.told('legAnswered', 'agent-leg');
  expectWithin('the agent answers', true, `${Math.round(performance.now() - startedMs)} ms`);
  await world.perform(
    { do: 'bridge', legs: [call, 'agent-leg'] },
    { do: 'startRecording', recordingId: 'proof', legs: [call, 'agent-leg'] },
  );
  startedMs = performance.now();
  const atAgent = await waitUntil(
    () => measureFrequencies(agent, callerHz, agentHz),
    ([level = 0]) => level > 0.1,
  );
  expectWithin(
    'the agent hears the caller, not herself',
    (atAgent[0] ?? 0) > 0.1 && (atAgent[1] ?? 1) < 0.02,
    `${atAgent.map((l) => l.toFixed(3)).join(' against ')}, ${Math.round(performance.now() - startedMs)} ms after the bridge`,
  );
  const atCaller = await waitUntil(
    () => measureFrequencies(caller, agentHz, callerHz),
    ([level = 0]) => level > 0.1,
  );
  expectWithin(
    'the caller hears the agent, not herself',
    (atCaller[0] ?? 0) > 0.1 && (atCaller[1] ?? 1) < 0.02,
    atCaller.map((l) => l.toFixed(3)).join(' against '),
  );

  await agent.evaluate(() => window.phone.mute(true));
  const muted = await waitUntil(
    () => measureFrequencies(caller, agentHz),
    ([level = 1]) => level < 0.02,
  );
  expectWithin('a muted agent is not heard', (muted[0] ?? 1) < 0.02, muted);
  await agent.evaluate(() => window.phone.mute(false));
  await world.perform(
    { do: 'unbridge', legs: [call, 'agent-leg'] },
    { do: 'hold', leg: call, on: true, musicId: 2 },
  );
  const onHold = await waitUntil(
    () => measureFrequencies(agent, callerHz),
    ([level = 1]) => level < 0.02,
  );
  expectWithin('a caller on hold is not heard', (onHold[0] ?? 1) < 0.02, onHold);
  await world.perform({ do: 'bridge', legs: [call, 'agent-leg'] });
  const back = await waitUntil(
    () => measureFrequencies(caller, agentHz),
    ([level = 0]) => level > 0.1,
  );
  expectWithin('after hold they hear each other again', (back[0] ?? 0) > 0.1, back);
  await sleep(500);
  const before = await inboundStats(caller);
  await sleep(4000);
  const after = await inboundStats(caller);
  const [bufferMs, packets, lost, concealed] = [
    (1000 * (after.jitterBufferDelay - before.jitterBufferDelay)) /
      (after.jitterBufferEmittedCount - before.jitterBufferEmittedCount),
    after.packetsReceived - before.packetsReceived,
    after.packetsLost - before.packetsLost,
    (after.concealedSamples - before.concealedSamples) /
      (after.totalSamplesReceived - before.totalSamplesReceived),
  ];
  expectWithin(
    'in four seconds of talk nothing is lost and the delay stays bounded',
    lost === 0 && bufferMs < 250,
    `${packets} packets, ${lost} lost, ${Math.round(bufferMs)} ms in the jitter buffer, ${(concealed * 100).toFixed(2)} % made up by the browser`,
  );

  // The web process restarts: all signaling streams are cut. The call continues and can still be
  // controlled.
  web.server.closeAllConnections();
  await waitUntil(
    () => agent.evaluate(() => window.phone.snapshot().connection),
    (state) => state === 'joining',
    1000,
  );
  const rejoined = await waitUntil(
    () => agent.evaluate(() => window.phone.snapshot().connection),
    (state) => state === 'ready',
  );
  const talking = await waitUntil(
    () => measureFrequencies(caller, agentHz),
    ([level = 0]) => level > 0.1,
  );
  expectWithin(
    'a call outlives its signalling',
    rejoined === 'ready' && (talking[0] ?? 0) > 0.1,
    `${rejoined}, ${talking[0]?.toFixed(3)}`,
  );

  startedMs = performance.now();
  await agent.evaluate(() => window.phone.hangup('agent-leg'));
  await world.told('legEnded', 'agent-leg');
  expectWithin('hanging up is told', true, `${Math.round(performance.now() - startedMs)} ms`);
  const ready = await world.told('recordingReady');
  const wav = readWav(new Uint8Array(await (await fetch(ready.url)).arrayBuffer()));
  const second = (channel: number): Int16Array =>
    (wav?.channels[channel] ?? new Int16Array(0)).slice(-16_000 - 4000, -4000);
  const levels = [
    loudnessAt(second(0), callerHz, 16_000),
    loudnessAt(second(0), agentHz, 16_000),
    loudnessAt(second(1), agentHz, 16_000),
    loudnessAt(second(1), callerHz, 16_000),
  ];
  expectWithin(
    'the recording holds each on its own channel',
    (levels[0] ?? 0) > 0.1 &&
      (levels[1] ?? 1) < 0.01 &&
      (levels[2] ?? 0) > 0.1 &&
      (levels[3] ?? 1) < 0.01,
    `${levels.map((l) => l.toFixed(3)).join(' ')}, ${ready.durationMs} ms`,
  );

  // A call placed from the app: its own device answers automatically.
  await agent.evaluate(() => window.phone.autoAnswer('placed'));
  await world.perform({
    do: 'createLeg',
    leg: 'placed',
    to: { kind: 'app', userId: 7, device: 'desk' },
    callerId: '+14155552368',
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
  await world.told('legAnswered', 'placed');
  const lines = await waitUntil(
    () => agent.evaluate(() => window.phone.snapshot().lines.map(({ state }) => state)),
    ([state]) => state === 'answered',
  );
  expectWithin(
    'a call placed from the app is answered by the device that placed it',
    lines[0] === 'answered',
    lines,
  );
  await world.perform({ do: 'hangup', leg: 'placed' });
  const gone = await waitUntil(
    () => agent.evaluate(() => window.phone.snapshot().lines.length),
    (count) => count === 0,
  );
  expectWithin('and is gone when the product hangs up', gone === 0, gone);

  // A page that closes hangs up.
  startedMs = performance.now();
  await caller.close();
  await world.told('legEnded', call, 10_000);
  expectWithin('a closed page hangs up', true, `${Math.round(performance.now() - startedMs)} ms`);
} finally {
  await Promise.all(browsers.map((browser) => browser.close()));
  await web.close();
  await world.close();
}
console.log(failures.length === 0 ? 'All held.' : `${failures.length} failed.`);
process.exit(failures.length === 0 ? 0 : 1);
