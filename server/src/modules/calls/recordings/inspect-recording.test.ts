import { expect, test } from 'vitest';
import { espeakSpeech } from '../../../adapters/speech-espeak/speech.ts';
import { decode, encode } from '../../../platform/audio/g711.ts';
import { resample, sampleRate } from '../../../platform/audio/resample.ts';
import { writeWav } from '../../../platform/audio/wav.ts';
import { inspectRecording } from './inspect-recording.ts';

test('speech of two people is told apart by channel and time, also through a telephone’s codec', async () => {
  const speech = espeakSpeech();
  const [agent, client] = await Promise.all(
    ['Thanks for calling Harbor Dental, how can I help you today?', 'I would like a cleaning.'].map(
      (text) => speech.synthesize({ text }),
    ),
  );
  if (!agent || !client) throw new Error('nothing was said');
  const pause = sampleRate;
  const length = agent.pcm16k.length + client.pcm16k.length + pause * 3;
  const channels = [new Int16Array(length), new Int16Array(length)] as const;
  channels[1].set(agent.pcm16k, pause);
  channels[0].set(client.pcm16k, pause * 2 + agent.pcm16k.length);
  const narrow = channels.map((samples) =>
    decode('PCMU', encode('PCMU', resample(samples, sampleRate, 8000))),
  );
  for (const [rate, wav] of [[sampleRate, channels] as const, [8000, narrow] as const]) {
    const sound = await inspectRecording(writeWav({ sampleRate: rate, channels: [...wav] }));
    const [ofClient, ofAgent] = sound?.voice ?? [];
    expect(ofAgent?.[0]?.[0]).toBeGreaterThan(900);
    expect(ofAgent?.[0]?.[0]).toBeLessThan(1300);
    expect(ofClient?.[0]?.[0]).toBeGreaterThan(1900 + agent.durationMs);
    const total = (spans: [number, number][] | undefined) =>
      (spans ?? []).reduce((sum, [from, to]) => sum + to - from, 0);
    expect(total(ofAgent) / agent.durationMs).toBeGreaterThan(0.7);
    expect(total(ofAgent) / agent.durationMs).toBeLessThan(1.02);
    expect(total(ofClient) / client.durationMs).toBeGreaterThan(0.7);
    expect(total(ofClient) / client.durationMs).toBeLessThan(1.02);
    expect(sound?.peaks).toHaveLength(2);
  }
});

test('what is no WAV file is not guessed at', async () => {
  expect(await inspectRecording(Buffer.from('OggS and so on'))).toBeNull();
});
