/** A phone in a real browser page. What the page receives is described by the frequencies in it. */
import type { Browser, Page } from 'playwright-core';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { MediaClient } from '../ui/src/phone/media-client.ts';

declare global {
  interface Window {
    MediaClient: typeof MediaClient;
    phone: MediaClient;
    said: string[];
    /** What a phone's audio contained, in words. */
    captions: string[];
    /** Level of some frequencies in the received audio, 0 to 1, over the last third of a second. */
    listen: (frequencies: number[]) => number[];
  }
}

/** The product's own client, as a page can load it. */
const client = buildSync({
  entryPoints: [fileURLToPath(new URL('../ui/src/phone/media-client.ts', import.meta.url))],
  bundle: true,
  format: 'esm',
  write: false,
}).outputFiles[0]!.text;

/** A page at an address whose origin serves `/media`. */
export async function openPhonePage(browser: Browser, address: string): Promise<Page> {
  const page = await (
    await browser.newContext({ permissions: ['microphone'], bypassCSP: true })
  ).newPage();
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (trouble) => console.log('page error:', trouble.message));
  // tsx leaves this helper in functions that are sent to the page.
  await page.addInitScript({ content: 'globalThis.__name = (thing) => thing;' });
  // The client hides its connections; the tests need them.
  await page.addInitScript(() => {
    const seen = Object.assign(window, {
      connections: [] as RTCPeerConnection[],
      senders: [] as RTCRtpSender[],
    });
    const Real = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Real {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        seen.connections.push(this);
      }
      override addTransceiver(
        track: MediaStreamTrack | string,
        init?: RTCRtpTransceiverInit,
      ): RTCRtpTransceiver {
        const transceiver = super.addTransceiver(track, init);
        seen.senders.push(transceiver.sender);
        return transceiver;
      }
    };
  });
  await page.goto(address);
  await page.addScriptTag({
    type: 'module',
    content: `${client}\nwindow.MediaClient = MediaClient;`,
  });
  await page.waitForFunction(() => 'MediaClient' in window);
  return page;
}

/**
 * Connects the page to the media server and listens to every remote stream.
 * @param toneHz what it speaks; null: what its microphone hears
 */
export async function joinCall(page: Page, token: string, toneHz: number | null): Promise<void> {
  await page.evaluate(
    async ([pass, hz]) => {
      const context = new AudioContext();
      const ears = new Map<string, AnalyserNode>();
      window.said = [];
      window.captions = [];
      window.listen = (frequencies) => {
        const ear = [...ears.values()].at(-1);
        if (!ear) return frequencies.map(() => 0);
        const samples = new Float32Array(ear.fftSize);
        ear.getFloatTimeDomainData(samples);
        return frequencies.map((f) => {
          let cos = 0;
          let sin = 0;
          samples.forEach((value, i) => {
            cos += value * Math.cos((2 * Math.PI * f * i) / context.sampleRate);
            sin += value * Math.sin((2 * Math.PI * f * i) / context.sampleRate);
          });
          return (2 * Math.hypot(cos, sin)) / samples.length;
        });
      };
      window.phone = new window.MediaClient({
        url: '/media',
        token: () => Promise.resolve(pass as string),
        ...(hz !== null && { synthetic: { toneHz: hz as number } }),
        onRing: (line) => window.said.push(`ring ${line.leg}`),
        onEnded: (line, because) => window.said.push(`ended ${line.leg} ${because}`),
        onCaption: (_leg, _kind, what) => window.captions.push(what),
        onRemoteStream: (leg, stream) => {
          if (!stream) return ears.delete(leg);
          const ear = new AnalyserNode(context, { fftSize: 16384 });
          context.createMediaStreamSource(stream).connect(ear);
          ears.set(leg, ear);
        },
      });
      await context.resume();
      await window.phone.join();
    },
    [token, toneHz] as const,
  );
}

/** The browser's statistics of the received audio. */
export const inboundStats = (
  page: Page,
): Promise<
  Record<
    | 'jitterBufferDelay'
    | 'jitterBufferEmittedCount'
    | 'packetsReceived'
    | 'packetsLost'
    | 'concealedSamples'
    | 'totalSamplesReceived',
    number
  >
> =>
  page.evaluate(async () => {
    const connections = (window as unknown as { connections: RTCPeerConnection[] }).connections;
    const stats = await connections.at(-1)?.getStats();
    for (const report of (stats?.values() ?? []) as Iterable<{ type: string }>)
      if (report.type === 'inbound-rtp') return report as never;
    throw new Error('Nothing is received.');
  });
export const measureFrequencies = (page: Page, ...frequencies: number[]): Promise<number[]> =>
  page.evaluate((list) => window.listen(list), frequencies);
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
/** The last answer: the first good one, or the one at the timeout. */
export async function waitUntil<T>(
  ask: () => Promise<T>,
  good: (value: T) => boolean,
  patienceMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (good(value) || performance.now() > deadline) return value;
    await sleep(40);
  }
}
