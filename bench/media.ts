import { onlyExchange } from '../server/test/support/only-exchange.ts';
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { openTestBrowser } from '../server/test/support/browser-phone.ts';
import { toySpeech } from '../server/test/support/exchange-harness.ts';
import { startExchange } from '../server/src/exchange/start-exchange.ts';
import { encode } from '../server/src/exchange/opus.ts';
import { tone } from '../server/src/platform/audio/tones.ts';
import { mintMediaToken } from '../server/src/exchange/media-token.ts';
import { sandboxVoice } from '../server/src/adapters/sandbox/voice.ts';
import { voiceWebhookPath } from '../server/src/exchange/protocol.ts';
import type { VoiceCommand } from '../server/src/gateways/voice.ts';
import { percentile } from './kit.ts';

/**
 * 30 bridged calls at one exchange: 60 WebRTC connections with 50 packets per second each way.
 * Prints packet loss, one-way delay through the exchange, and its share of one core; first without
 * recording, then with both sides recorded; then with one call more than allowed; with LEGS=500
 * also the heap before and after that many legs. SECONDS=60 for the long run.
 * The callers are another process, which competes with the exchange on two cores: read the delay
 * with that in mind.
 */
const CALLS = Number(process.env['CALLS'] ?? 30);
const SECONDS = Number(process.env['SECONDS'] ?? 10);
/** Legs to set up and take down afterwards, to find what the exchange keeps of each: `LEGS=500`. */
const LEGS = Number(process.env['LEGS'] ?? 0);
const secret = 'the secret of the media bench';

if (process.argv[2] === 'exchange') {
  const [, , , publicWebUrl = '', filesDir = ''] = process.argv;
  const exchange = await startExchange({
    port: 0,
    secret,
    publicWebUrl: () => publicWebUrl,
    filesDir,
    speech: toySpeech,
    fetchFile: () => Promise.resolve(null),
    maxCalls: CALLS,
  });
  process.on('message', () => {
    globalThis.gc?.();
    process.send!({
      cpu: process.cpuUsage(),
      rss: process.memoryUsage().rss,
      heap: process.memoryUsage().heapUsed,
    });
  });
  process.on('disconnect', () => process.exit());
  process.send!({ url: exchange.url });
} else {
  const web = Fastify();
  web.post(voiceWebhookPath, (_request, reply) => reply.code(204).send());
  const webUrl = await web.listen({ port: 0, host: '127.0.0.1' });
  const filesDir = mkdtempSync(join(tmpdir(), 'bench-media-'));
  const child = fork(new URL(import.meta.url).pathname, ['exchange', webUrl, filesDir], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  });
  const answer = <T>() =>
    new Promise<T>((resolve) => child.once('message', (said) => resolve(said as T)));
  const { url } = await answer<{ url: string }>();
  const used = () => {
    child.send('?');
    return answer<{ cpu: NodeJS.CpuUsage; rss: number; heap: number }>();
  };
  const cpuMs = ({ cpu }: { cpu: NodeJS.CpuUsage }) => (cpu.user + cpu.system) / 1000;
  const voice = sandboxVoice({ exchanges: onlyExchange(() => url), secret });
  let ids = 0;
  const perform = (
    ...commands: (VoiceCommand extends infer C
      ? C extends VoiceCommand
        ? Omit<C, 'id'>
        : never
      : never)[]
  ) => voice.perform(commands.map((c) => ({ ...c, id: `bench-${++ids}` }) as VoiceCommand));

  // A real Opus packet whose last bytes are the time it was sent: the exchange forwards packets
  // unchanged.
  const frame = (await encode(tone([500], 400, 0.5)))[10]!;
  const packet = () => {
    const stamped = Buffer.concat([frame, Buffer.alloc(8)]);
    stamped.writeDoubleLE(performance.now(), frame.length);
    return stamped;
  };
  const delays: number[] = [];
  const hear = (payload: Buffer) => {
    if (payload.length === frame.length + 8)
      delays.push(performance.now() - payload.readDoubleLE(frame.length));
  };

  const before = cpuMs(await used());
  const pairs: {
    legs: [string, string];
    calls: { packets: () => { received: number; lost: number }; disconnect: () => void }[];
    leave: () => void;
  }[] = [];
  for (let i = 0; i < CALLS; i++) {
    const caller = await openTestBrowser(
      url,
      mintMediaToken(
        { kind: 'handset', number: `+1212555${1000 + i}`, device: `h${i}` },
        secret,
        Date.now() + 600_000,
      ),
      0,
      packet,
    );
    const agent = await openTestBrowser(
      url,
      mintMediaToken(
        { kind: 'app', companyId: 1, userId: i + 1, identity: 'a', device: 'd' },
        secret,
        Date.now() + 600_000,
      ),
      0,
      packet,
    );
    const call = await caller.dial('+14155552368');
    await perform(
      { do: 'answer', leg: call.leg },
      {
        do: 'createLeg',
        leg: `agent-${i}`,
        to: { kind: 'app', userId: i + 1 },
        callerId: '+14155552368',
        timeoutSeconds: 30,
        onBehalfOf: call.leg,
      },
    );
    await agent.told('ring');
    const answered = await agent.answer(`agent-${i}`);
    call.onPacket = answered.onPacket = hear;
    await perform({ do: 'bridge', legs: [call.leg, `agent-${i}`] });
    pairs.push({
      legs: [call.leg, `agent-${i}`],
      calls: [call, answered],
      leave: () => {
        caller.leave();
        agent.leave();
      },
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const setUp = await used();
  console.log(
    `${CALLS} calls (${CALLS * 2} legs): ${((cpuMs(setUp) - before) / CALLS / 2).toFixed(0)} ms of the exchange's processor to set up a leg, the sound of the others meanwhile included`,
  );

  const measure = async (name: string) => {
    const tally = () =>
      pairs
        .flatMap((p) => p.calls)
        .map((c) => c.packets())
        .reduce((sum, p) => ({ received: sum.received + p.received, lost: sum.lost + p.lost }), {
          received: 0,
          lost: 0,
        });
    const [from, at, counted] = [cpuMs(await used()), performance.now(), tally()];
    delays.length = 0;
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    const now = await used();
    const [to, seconds, end] = [cpuMs(now), (performance.now() - at) / 1000, tally()];
    const received = end.received - counted.received,
      lost = end.lost - counted.lost;
    console.log(
      `${name}: loss ${((100 * Math.max(0, lost)) / (received + lost)).toFixed(2)} % of ${received + lost}, ${(received / seconds / CALLS / 2).toFixed(1)} packets/s a leg, one way p50 ${percentile(delays, 50).toFixed(1)} ms, p95 ${percentile(delays, 95).toFixed(1)} ms, ${((to - from) / seconds / 10).toFixed(0)} % of one core, ${Math.round(now.rss / 1e6)} MB`,
    );
  };
  await measure('bridged');
  for (const [i, { legs }] of pairs.entries())
    await perform({ do: 'startRecording', recordingId: `bench-${i}`, legs });
  await measure('bridged and recorded');

  const late = await openTestBrowser(
    url,
    mintMediaToken(
      { kind: 'handset', number: '+12125550199', device: 'late' },
      secret,
      Date.now() + 600_000,
    ),
    0,
    packet,
  );
  console.log(
    `call ${CALLS + 1}: ${await late.dial('+14155552368').then(
      () => 'was let in',
      (error: Error) => error.message,
    )}`,
  );
  late.leave();
  for (const p of pairs) {
    for (const leg of p.legs) await perform({ do: 'hangup', leg });
    p.calls.forEach((c) => c.disconnect());
    p.leave();
  }
  // Timers of closed connections hold memory for up to a minute; what remains after that is a leak.
  const settled = async () => {
    await new Promise((resolve) => setTimeout(resolve, 70_000));
    return used();
  };
  if (LEGS > 0) {
    const oneByOne = async (legs: number) => {
      for (let i = 0; i < legs; i++) {
        const phone = await openTestBrowser(
          url,
          mintMediaToken(
            { kind: 'handset', number: '+12125550198', device: `s${++ids}` },
            secret,
            Date.now() + 600_000,
          ),
          0,
          packet,
        );
        const call = await phone.dial('+14155552368');
        await perform({ do: 'answer', leg: call.leg });
        await new Promise((resolve) => setTimeout(resolve, 40));
        await perform({ do: 'hangup', leg: call.leg });
        call.disconnect();
        phone.leave();
      }
    };
    // The first hundred fill what is only filled once: compiled code, pools.
    await settled();
    await oneByOne(100);
    const began = await settled();
    await oneByOne(LEGS);
    const ended = await settled();
    console.log(
      `${LEGS} legs later: heap ${(began.heap / 1e6).toFixed(1)} → ${(ended.heap / 1e6).toFixed(1)} MB (${((ended.heap - began.heap) / LEGS / 1000).toFixed(1)} kB a leg), resident ${Math.round(began.rss / 1e6)} → ${Math.round(ended.rss / 1e6)} MB`,
    );
  }
  await voice.close();
  await web.close();
  child.disconnect();
  rmSync(filesDir, { recursive: true, force: true });
  process.exit(0);
}
