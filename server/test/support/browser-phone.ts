/**
 * For tests and the bench: a browser's phone without a browser. It sends a tone and keeps the audio
 * it receives.
 */
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  RtpHeader,
  RtpPacket,
} from 'werift';
import type { DeviceMessage } from '../../src/exchange/devices.ts';
import { StreamDecoder, encode } from '../../src/exchange/opus.ts';
import { startTicker } from '../../src/exchange/ticker.ts';
import { tone } from '../../src/platform/audio/tones.ts';

export interface BrowserCall {
  leg: string;
  /** The last `ms` milliseconds of received audio, 16 kHz; shorter when less was received. */
  heard: (ms: number) => Int16Array;
  packets: () => { received: number; lost: number };
  /** RFC 4733, as a browser sends it: every packet three times. */
  pressKey: (digit: string) => void;
  onPacket: ((payload: Buffer, timestamp: number) => void) | null;
  disconnect: () => void;
}

/** Sent packet by packet instead of a tone; received audio is then not decoded. */
export async function openTestBrowser(
  url: string,
  token: string,
  toneHz = 500,
  packet?: () => Buffer,
  resume: string | null = null,
) {
  const message: DeviceMessage[] = [];
  const frames = packet ? [] : await encode(tone([toneHz], 2000, 0.5));
  const stream = new AbortController();
  const joined = await fetch(`${url}/media/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, resume }),
    signal: stream.signal,
  });
  if (!joined.ok || !joined.body) throw new Error(`Joining was answered ${joined.status}`);
  const body = joined.body;
  void (async () => {
    let rest = '';
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      message.push(
        ...lines.filter((line) => line !== '').map((line) => JSON.parse(line) as DeviceMessage),
      );
    }
  })().catch(() => undefined);

  const told = async <Type extends DeviceMessage['type']>(
    type: Type,
    leg?: string,
  ): Promise<Extract<DeviceMessage, { type: Type }>> => {
    const deadline = performance.now() + 30_000;
    for (;;) {
      const found = message.find(
        (one): one is Extract<DeviceMessage, { type: Type }> =>
          one.type === type && (leg === undefined || ('leg' in one && one.leg === leg)),
      );
      if (found) return found;
      if (performance.now() > deadline)
        throw new Error(`Never told ${type}: ${JSON.stringify(message)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const { session } = await told('joined');

  const post = async <Answer>(verb: string, saying: object): Promise<Answer> => {
    const answer = await fetch(`${url}/media/${session}/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(saying),
    });
    const json = (await answer.json()) as Answer & { message?: string };
    if (!answer.ok) throw new Error(`${answer.status} ${json.message ?? ''}`);
    return json;
  };

  const plug = async (verb: 'dial' | 'answer', saying: object): Promise<BrowserCall> => {
    const connection = new RTCPeerConnection({
      iceServers: [],
      iceUseIpv6: false,
      codecs: {
        audio: [
          new RTCRtpCodecParameters({
            mimeType: 'audio/opus',
            clockRate: 48000,
            channels: 2,
            payloadType: 111,
          }),
          new RTCRtpCodecParameters({
            mimeType: 'audio/telephone-event',
            clockRate: 48000,
            payloadType: 110,
          }),
        ],
        video: [],
      },
      headerExtensions: { audio: [], video: [] },
    });
    const decoder = new StreamDecoder();
    const pieces: Int16Array[] = [];
    let received = 0;
    let first: number | null = null;
    let highest = 0;
    let sequenceNumber = 0;
    let timestamp = 0;
    const encoder = new MediaStreamTrack({ kind: 'audio' });
    connection.addTransceiver(encoder, { direction: 'sendrecv' });
    connection.onTrack.subscribe((track) =>
      track.onReceiveRtp.subscribe(({ header, payload }) => {
        received++;
        first ??= header.sequenceNumber;
        highest = Math.max(highest, (header.sequenceNumber - first + 65536) % 65536);
        call.onPacket?.(payload, header.timestamp);
        if (packet) return;
        pieces.push(decoder.decode(payload));
        if (pieces.length > 500) pieces.shift();
      }),
    );
    const offer = await connection.createOffer();
    for (const transport of connection.iceTransports)
      delete (transport.connection as { stunServer?: unknown }).stunServer;
    await connection.setLocalDescription(offer);
    const answer = await post<{ leg?: string; sdp: string }>(verb, {
      ...saying,
      sdp: connection.localDescription?.sdp,
    });
    await connection.setRemoteDescription({ type: 'answer', sdp: answer.sdp });
    const stop = startTicker(() => {
      timestamp += 960;
      const frame = packet ? packet() : frames[sequenceNumber % frames.length];
      if (frame && connection.connectionState === 'connected')
        encoder.writeRtp(
          new RtpPacket(
            new RtpHeader({
              sequenceNumber: sequenceNumber++ % 65536,
              timestamp,
              payloadType: 111,
            }),
            frame,
          ),
        );
    });
    const call: BrowserCall = {
      leg: answer.leg ?? (saying as { leg: string }).leg,
      heard(ms) {
        const wanted = pieces.slice(-Math.ceil(ms / 20));
        const whole = new Int16Array(wanted.length * 320);
        wanted.forEach((piece, i) => whole.set(piece.subarray(0, 320), i * 320));
        return whole;
      },
      packets: () => ({ received, lost: first === null ? 0 : highest + 1 - received }),
      pressKey(digit) {
        const event = '0123456789*#'.indexOf(digit);
        for (const [duration, end] of [
          [960, 0],
          [1920, 0],
          [2880, 1],
          [2880, 1],
          [2880, 1],
        ] as const) {
          const payload = Buffer.from([event, (end << 7) | 10, duration >> 8, duration & 255]);
          // Written to the transport directly: werift replaces the payload type with the track's
          // own.
          void connection.dtlsTransports[0]?.sendRtp(
            payload,
            new RtpHeader({
              ssrc: connection.getSenders()[0]?.ssrc ?? 0,
              payloadType: 110,
              sequenceNumber: sequenceNumber++ % 65536,
              timestamp,
            }),
          );
        }
      },
      onPacket: null,
      disconnect() {
        stop();
        decoder.release();
        void connection.close();
      },
    };
    return call;
  };

  return {
    session,
    said: message,
    told,
    dial: (to: string) => plug('dial', { to }),
    answer: (leg: string) => plug('answer', { leg }),
    say: post,
    leave: () => stream.abort(),
  };
}
