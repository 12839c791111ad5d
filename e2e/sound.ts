/** Sound that pages speak and hear, and how alike the two are. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare global {
  interface Window {
    /** What the page heard of the last call: 16-bit samples, 16,000 a second, the last 15 seconds. */
    heard: number[];
  }
}

/**
 * How similar two sounds are at their best alignment: the highest normalized correlation of their
 * loudness, at 100 samples per second.
 */
export function loudnessCorrelation(heard: Int16Array, spoken: Int16Array): number {
  const loudness = (pcm: Int16Array): number[] =>
    Array.from({ length: Math.floor(pcm.length / 160) }, (_, i) =>
      Math.sqrt(
        pcm.subarray(i * 160, i * 160 + 160).reduce((sum, value) => sum + value * value, 0),
      ),
    );
  const [a, b] = [loudness(heard), loudness(spoken)];
  const centred = (list: number[]): number[] => {
    const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
    return list.map((value) => value - mean);
  };
  let best = 0;
  for (let shift = 0; shift + b.length <= a.length; shift++) {
    const [x, y] = [centred(a.slice(shift, shift + b.length)), centred(b)];
    const power = (list: number[]): number =>
      Math.sqrt(list.reduce((sum, value) => sum + value * value, 0));
    best = Math.max(
      best,
      x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0) / (power(x) * power(y)),
    );
  }
  return best;
}

/** In the page: its microphone speaks `pcm` (16,000 a second) again and again, and it keeps what it hears. */
function speakAndListen(pcm: number[]): void {
  // A context that could be heard takes one of the browser's 16 outputs until its page is closed; once
  // they are taken, no call of any page has sound.
  const openContext = (options?: AudioContextOptions): AudioContext =>
    new AudioContext({ ...options, sinkId: { type: 'none' } } as AudioContextOptions);
  navigator.mediaDevices.getUserMedia = async () => {
    const context = openContext();
    await context.resume();
    const buffer = context.createBuffer(1, pcm.length, 16_000);
    buffer.copyToChannel(
      Float32Array.from(pcm, (value) => value / 32_768),
      0,
    );
    const target = context.createMediaStreamDestination();
    const source = new AudioBufferSourceNode(context, { buffer, loop: true });
    source.connect(target);
    source.start();
    return target.stream;
  };
  const Real = window.RTCPeerConnection;
  window.heard = [];
  window.RTCPeerConnection = class extends Real {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      this.addEventListener('track', ({ track }) => {
        const heard: number[] = [];
        window.heard = heard;
        const context = openContext({ sampleRate: 16_000 });
        // The pages' policy allows no worklet.
        const ear = context.createScriptProcessor(4096, 1, 1);
        ear.onaudioprocess = ({ inputBuffer }) => {
          for (const value of inputBuffer.getChannelData(0)) heard.push(Math.round(value * 32_767));
          heard.splice(0, Math.max(0, heard.length - 15 * 16_000));
        };
        context.createMediaStreamSource(new MediaStream([track])).connect(ear);
        ear.connect(new GainNode(context, { gain: 0 })).connect(context.destination);
        void context.resume();
      });
    }
  };
}

/** From now on, and after each load, the page speaks this and keeps what it hears. */
export async function giveVoice(page: Page, spoken: Int16Array): Promise<void> {
  // tsx leaves this helper in functions that are sent to the page.
  await page.addInitScript({ content: 'globalThis.__name = (thing) => thing;' });
  await page.addInitScript(speakAndListen, [...spoken]);
  await page.evaluate(speakAndListen, [...spoken]);
}

/** A page hears what the other speaks, by the shape of its loudness, and not what it speaks itself. */
export async function expectHears(page: Page, theirs: Int16Array, own: Int16Array): Promise<void> {
  await expect
    .poll(
      async () => {
        const heard = Int16Array.from(await page.evaluate(() => window.heard));
        const [ofTheirs, ofOwn] = [theirs, own].map((one) => loudnessCorrelation(heard, one));
        if ((ofTheirs ?? 0) > 0.8 && (ofOwn ?? 1) < 0.6) return 'the other';
        const loudest = heard.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        return `${heard.length} samples, loudest ${loudest}, the other ${ofTheirs}, itself ${ofOwn}`;
      },
      { timeout: 60_000, interval: 1000 },
    )
    .toBe('the other');
}
