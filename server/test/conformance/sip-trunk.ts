/**
 * The SIP side of the simulated carriers: calls `sip:` addresses over plain UDP, writing its own
 * messages, with G.711 over RTP. It sends the audio it is given, keeps what it receives, and
 * retransmits unanswered requests (RFC 3261 17.1).
 */
import { createSocket, type Socket } from 'node:dgram';
import { randomBytes } from 'node:crypto';
import { decode, encode } from '../../src/platform/audio/g711.ts';
import { tone } from '../../src/platform/audio/tones.ts';
import { resample } from '../../src/platform/audio/resample.ts';

export interface TrunkCall {
  /** Sends a tone (Hz), or silence for null. */
  speak(hz: number | null): void;
  /** Forwards received audio to another call, for two-way audio. null: to none. */
  bridgeTo(other: TrunkCall | null): void;
  send(payload: Buffer): void;
  /** The last `ms` milliseconds of received audio, 8 kHz. */
  heard(ms: number): Int16Array;
  hangUp(): void;
}
interface TrunkCallbacks {
  ringing(): void;
  answered(): void;
  /** `status`: of the refusal; 0 when the other side hung up. */ ended(status: number): void;
}
const randomToken = () => randomBytes(6).toString('hex');
const open = async (): Promise<Socket> => {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return socket;
};
const tones = new Map<number, Uint8Array>();
/** One second of a tone in G.711. */
const toneOf = (hz: number): Uint8Array => {
  const made = tones.get(hz) ?? encode('PCMU', resample(tone([hz], 1000, 0.5), 16_000, 8000));
  tones.set(hz, made);
  return made;
};

export function dialSip(
  uri: string,
  from: string,
  on: TrunkCallbacks,
  codec: 'PCMU' | 'none' = 'PCMU',
): TrunkCall {
  const [, , host = '', port = ''] = /^sip:([^@]+)@([^:;]+):(\d+)/.exec(uri) ?? [];
  const [id, tag, branch] = [randomToken(), randomToken(), randomToken()];
  const heard: Int16Array[] = [];
  let state: 'trying' | 'ringing' | 'up' | 'over' = 'trying';
  let [to, target, sequence] = [`<${uri}>`, uri, 0];
  let hz: number | null = null;
  let next: TrunkCall | null = null;
  let [signalling, sound]: (Socket | null)[] = [null, null];
  let soundAt: { host: string; port: number } | null = null;
  const timers: NodeJS.Timeout[] = [];

  const request = (method: string, seq: number, more: string[] = [], body = ''): void => {
    const typed = body === '' ? [] : ['Content-Type: application/sdp'];
    const branched = method === 'INVITE' || method === 'CANCEL' ? branch : randomToken();
    signalling?.send(
      [
        `${method} ${method === 'INVITE' || method === 'CANCEL' ? uri : target} SIP/2.0`,
        `Via: SIP/2.0/UDP 127.0.0.1:${signalling.address().port};branch=z9hG4bK${branched};rport`,
        'Max-Forwards: 70',
        `From: <sip:${from}@carrier.test>;tag=${tag}`,
        `To: ${method === 'CANCEL' ? `<${uri}>` : to}`,
        `Call-ID: ${id}`,
        `CSeq: ${seq} ${method}`,
        `Contact: <sip:carrier@127.0.0.1:${signalling.address().port}>`,
        ...typed,
        ...more,
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
      Number(port),
      host,
    );
  };
  const over = (status: number | null): void => {
    if (state === 'over') return;
    state = 'over';
    for (const timer of timers) clearInterval(timer);
    // Late requests are still answered.
    setTimeout(() => {
      signalling?.close();
      sound?.close();
    }, 2000).unref();
    if (status !== null) on.ended(status);
  };
  const send = (payload: Buffer): void => {
    if (!soundAt || state !== 'up') return;
    const header = Buffer.alloc(12);
    header.writeUInt8(0x80, 0);
    header.writeUInt16BE(sequence % 65_536, 2);
    header.writeUInt32BE((sequence * 160) % 0x1_0000_0000, 4);
    header.writeUInt32BE(9, 8);
    sequence++;
    sound?.send(Buffer.concat([header, payload]), soundAt.port, soundAt.host, () => undefined);
  };
  const call: TrunkCall = {
    speak: (at) => {
      hz = at;
    },
    bridgeTo: (other) => {
      next = other;
    },
    send,
    heard(ms) {
      const all = heard.slice(-Math.ceil(ms / 20));
      const joined = new Int16Array(all.reduce((sum, { length }) => sum + length, 0));
      all.reduce((place, piece) => (joined.set(piece, place), place + piece.length), 0);
      return joined;
    },
    hangUp() {
      if (state === 'up') request('BYE', 2);
      else if (state !== 'over') request('CANCEL', 1);
      over(null);
    },
  };

  void (async () => {
    [signalling, sound] = [await open(), await open()];
    if ((state as string) === 'over') return over(null);
    const at = sound.address().port;
    const sdp = [
      'v=0',
      'o=- 1 1 IN IP4 127.0.0.1',
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      ...(codec === 'PCMU'
        ? [
            `m=audio ${at} RTP/AVP 0 101`,
            'a=rtpmap:0 PCMU/8000',
            'a=rtpmap:101 telephone-event/8000',
          ]
        : [`m=audio ${at} RTP/AVP 96`, 'a=rtpmap:96 opus/48000/2']),
      '',
    ].join('\r\n');
    signalling.on('message', (bytes) => {
      const [head = '', body = ''] = bytes.toString().split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const header = (name: string) =>
        lines
          .find((line) => line.toLowerCase().startsWith(`${name}:`))
          ?.slice(name.length + 1)
          .trim() ?? '';
      const status = Number(/^SIP\/2\.0 (\d+)/.exec(first)?.[1] ?? 0);
      if (!status) {
        if (first.startsWith('BYE')) {
          signalling?.send(
            [
              `SIP/2.0 200 OK`,
              ...['via', 'from', 'to', 'call-id', 'cseq'].map((name) => `${name}: ${header(name)}`),
              'Content-Length: 0',
              '',
              '',
            ].join('\r\n'),
            Number(port),
            host,
          );
          over(0);
        }
        return;
      }
      if (!header('cseq').endsWith('INVITE') || status === 100) return;
      to = header('to');
      if (status >= 200) {
        if (status < 300) target = /<([^>]+)>/.exec(header('contact'))?.[1] ?? uri;
        // After a CANCEL the final response belongs to the INVITE.
        if (status >= 300)
          signalling?.send(
            [
              `ACK ${uri} SIP/2.0`,
              `Via: SIP/2.0/UDP 127.0.0.1:${signalling.address().port};branch=z9hG4bK${branch};rport`,
              `From: <sip:${from}@carrier.test>;tag=${tag}`,
              `To: ${to}`,
              `Call-ID: ${id}`,
              'CSeq: 1 ACK',
              'Content-Length: 0',
              '',
              '',
            ].join('\r\n'),
            Number(port),
            host,
          );
        else request('ACK', 1);
      }
      if (state === 'over') {
        // It was canceled and answered at the same moment.
        if (status >= 200 && status < 300) request('BYE', 2);
        return;
      }
      if (status < 200) {
        if (state === 'trying') {
          state = 'ringing';
          on.ringing();
        }
      } else if (status >= 300) over(status);
      else if (state !== 'up') {
        soundAt = {
          host: /c=IN IP4 (\S+)/.exec(body)?.[1] ?? host,
          port: Number(/m=audio (\d+)/.exec(body)?.[1] ?? 0),
        };
        state = 'up';
        on.answered();
      }
    });
    sound.on('message', (packet) => {
      if ((packet[1]! & 0x7f) !== 0) return;
      next?.send(packet.subarray(12));
      heard.push(decode('PCMU', packet.subarray(12)));
      if (heard.length > 250) heard.shift();
    });
    request('INVITE', 1, [], sdp);
    timers.push(
      setInterval(() => {
        if (state === 'trying') request('INVITE', 1, [], sdp);
      }, 1000),
    );
    let n = 0;
    timers.push(
      setInterval(() => {
        if (next) return;
        const place = (n++ % 50) * 160;
        send(
          hz === null
            ? Buffer.alloc(160, 0xff)
            : Buffer.from(toneOf(hz).subarray(place, place + 160)),
        );
      }, 20),
    );
  })();
  return call;
}
