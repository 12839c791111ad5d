/**
 * For tests: random bytes and mutated messages sent to a SIP server over UDP and TCP, the same for
 * the same seed. The tests send a few thousand, `npm run test:faults` more.
 */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { readMessage } from '../../src/exchange/sip/read-message.ts';

/** Seed messages: what phones send, with every part that a server reads. */
const samples: readonly string[] = [
  'REGISTER sip:phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa1;rport\r\nMax-Forwards: 70\r\nFrom: "Ada" <sip:u7@phones.test>;tag=a\r\nTo: <sip:u7@phones.test>\r\nCall-ID: one@host\r\nCSeq: 1 REGISTER\r\nContact: <sip:u7@127.0.0.1:5070;ob>;expires=60, <sip:u7@127.0.0.1:5071>\r\nAuthorization: Digest username="u7", realm="phones.test", nonce="a.b.c", uri="sip:phones.test", response="0123", qop=auth, nc=00000001, cnonce="x"\r\nContent-Length: 0\r\n\r\n',
  'INVITE sip:2125550148@phones.test SIP/2.0\r\nv: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa2\r\nRecord-Route: <sip:proxy;lr>\r\nf: sip:u7@phones.test;tag=b\r\nt: <sip:2125550148@phones.test>\r\ni: two@host\r\nCSeq: 7 INVITE\r\nm: "A \\"B\\"" <sip:u7@127.0.0.1:5070;transport=udp>\r\nc: application/sdp\r\nl: 158\r\n\r\nv=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0 8 101\r\na=rtpmap:101 telephone-event/8000\r\nm=video 0 RTP/AVP 31\r\na=sendonly\r\n',
  `INVITE sip:${'0123456789abcdef'.repeat(3)}@phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa3;rport\r\nFrom: <sip:c@phones.test>;tag=c\r\nTo: <sip:line@phones.test>\r\nCall-ID: three\r\nCSeq: 1 INVITE\r\nContent-Type: application/sdp\r\n\r\nv=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 40000 RTP/AVP 0\r\n`,
  'CANCEL sip:2125550148@phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa2\r\nFrom: sip:u7@phones.test;tag=b\r\nTo: <sip:2125550148@phones.test>\r\nCall-ID: two@host\r\nCSeq: 7 CANCEL\r\n\r\n',
  'BYE sip:x@phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa4\r\nFrom: <sip:u7@phones.test>;tag=b\r\nTo: <sip:y@phones.test>;tag=c\r\nCall-ID: two@host\r\nCSeq: 8 BYE\r\nRoute: <sip:proxy;lr>\r\n\r\n',
  'REFER sip:x@phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa5\r\nFrom: <sip:u7@phones.test>;tag=b\r\nTo: <sip:y@phones.test>;tag=c\r\nCall-ID: two@host\r\nCSeq: 9 REFER\r\nRefer-To: <sip:1@phones.test?Replaces=a%3Bto-tag%3Db>\r\n\r\n',
  'OPTIONS sip:phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:5070;branch=z9hG4bKa6, SIP/2.0/TCP [::1]:5060;received=1.2.3.4\r\nRequire: x, y\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: four\r\nCSeq: 1 OPTIONS\r\nAccept: text/plain;q=0.1\r\nDate: Fri, 01 Jan 2010 16:00:00 GMT\r\n\r\n',
  'SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 127.0.0.1:5060;branch=z9hG4bKours;rport=1\r\nFrom: <sip:x@phones.test>;tag=o\r\nTo: <sip:u7@phones.test>;tag=t\r\nCall-ID: five\r\nCSeq: 1 INVITE\r\nContact: <sip:u7@127.0.0.1>\r\n\r\n',
];

/** Pseudo-random numbers from 0 to below 1, the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const poison = [
  '\0',
  '\r\n',
  '\r\n ',
  '"',
  '<',
  '>',
  ';',
  ',',
  '=',
  '%',
  '%00',
  ':',
  '@',
  '?',
  '-1',
  '99999999999999999999',
  'é',
  '\xff',
  ' ',
  '\t',
  ';;;',
  '""',
  'sip:',
  'SIP/2.0',
];

/**
 * One packet: noise, or a message that was changed, cut, repeated, mixed with another or given
 * hostile values.
 */
function randomPacket(random: () => number): Buffer {
  const upTo = (n: number): number => Math.floor(random() * n);
  if (random() < 0.1) return Buffer.from(Array.from({ length: 1 + upTo(600) }, () => upTo(256)));
  let bytes = Buffer.from(samples[upTo(samples.length)] ?? '');
  for (let left = 1 + upTo(4); left > 0; left--) {
    const at = upTo(bytes.length);
    const length = upTo(30);
    const ends = bytes.subarray(at + length);
    switch (upTo(6)) {
      case 0:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([upTo(256)]),
          bytes.subarray(at + 1),
        ]);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), ends]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from((poison[upTo(poison.length)] ?? '').repeat(1 + upTo(40))),
          bytes.subarray(at),
        ]);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(samples[upTo(samples.length)] ?? '').subarray(upTo(200)),
        ]);
        break;
      default:
        bytes = bytes.subarray(0, at + 1);
    }
  }
  return bytes.subarray(0, 8000);
}

/**
 * Feeds the parser only, and throws if it throws. Returns how many messages of each kind were
 * parsed.
 */
export function fuzzParser(size: number, seed = 1): Record<string, number> {
  const random = seededRandom(seed);
  const kinds: Record<string, number> = {};
  for (let n = 0; n < size; n++) {
    const { kind } = readMessage(randomPacket(random), random() < 0.3);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

/**
 * Fuzzes a server on this machine: three packets of four over UDP, the others over TCP. Every
 * hundred packets OPTIONS asks whether it is alive. Returns how many packets were sent, and how
 * many OPTIONS were sent and answered.
 */
export async function fuzzServer(
  port: number,
  size: number,
  seed = 1,
): Promise<{ sent: number; asked: number; answered: number }> {
  const random = seededRandom(seed);
  const socket = createSocket('udp4');
  let [asked, answered] = [0, 0];
  let alive: () => void = () => undefined;
  socket.on('message', (bytes) => {
    if (!bytes.includes(`Call-ID: alive${asked}\r\n`)) return;
    answered++;
    alive();
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const send = (bytes: Buffer): Promise<void> =>
    new Promise((resolve) => socket.send(bytes, port, '127.0.0.1', () => resolve()));
  const isAlive = async (): Promise<void> => {
    asked++;
    const question = Buffer.from(
      `OPTIONS sip:phones.test SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKalive${asked};rport\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: alive${asked}\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`,
    );
    for (let tries = 0; tries < 20; tries++) {
      const before = answered;
      const heard = new Promise<void>((resolve) => (alive = resolve));
      await send(question);
      await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 500))]);
      if (answered > before) return;
    }
  };
  try {
    for (let n = 0; n < size; n++) {
      const bytes = randomPacket(random);
      if (random() < 0.75) await send(bytes);
      else await sendOverTcp(port, bytes, upTo(random, bytes.length));
      if (n % 100 === 99) await isAlive();
    }
    await isAlive();
    return { sent: size, asked, answered };
  } finally {
    socket.close();
  }
}
const upTo = (random: () => number, n: number): number => Math.floor(random() * n);

/** Sent in two pieces, then closed. */
function sendOverTcp(port: number, bytes: Buffer, cut: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes.subarray(0, cut));
      socket.end(bytes.subarray(cut));
    });
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', () => undefined);
    // Responses are not awaited once everything was sent.
    socket.on('finish', () => socket.destroy());
    socket.on('close', () => resolve());
  });
}
