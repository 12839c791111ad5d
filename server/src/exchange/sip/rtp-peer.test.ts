import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { silentFrame } from '../opus.ts';
import { openRtpPeer, type RtpTarget } from './rtp-peer.ts';

const here = '127.0.0.1';
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** A UDP socket that keeps what it receives and sends RTP of one stream. */
async function anEnd(ssrc: number) {
  const socket: Socket = createSocket('udp4');
  socket.bind(0, here);
  await once(socket, 'listening');
  let received = 0;
  let sequence = 100;
  socket.on('message', () => received++);
  opened.push(socket);
  return {
    port: socket.address().port,
    received: () => received,
    /** Packets with consecutive numbers, each on its way before the next. */
    async send(to: number, { payload = 0, count = 1, stream = ssrc } = {}) {
      for (let i = 0; i < count; i++) {
        const packet = Buffer.alloc(172, 0xff);
        packet.writeUInt8(0x80, 0);
        packet.writeUInt8(payload, 1);
        packet.writeUInt16BE(sequence++ % 65_536, 2);
        packet.writeUInt32BE(sequence * 160, 4);
        packet.writeUInt32BE(stream, 8);
        await new Promise<void>((resolve) => socket.send(packet, to, here, () => resolve()));
      }
    },
  };
}

async function aPeer() {
  let heard = 0;
  const keys: string[] = [];
  const peer = await openRtpPeer(here, {
    packet: () => heard++,
    key: (digit) => keys.push(digit),
    closed: () => undefined,
  });
  opened.push(peer);
  return {
    peer,
    keys,
    heard: () => heard,
    /** Say `count` frames to the phone. */
    speak: (count: number) => {
      for (let i = 0; i < count; i++)
        peer.send(silentFrame, { sequenceNumber: i, timestamp: i * 960, marker: false });
    },
  };
}
const to = (port: number): RtpTarget => ({
  host: here,
  port,
  law: 'PCMU',
  payload: 0,
  dtmfPayload: 101,
});
const arrives = (count: () => number, atLeast: number) =>
  expect.poll(count, { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(atLeast);

test('a packet from elsewhere changes nothing in either direction, whatever it carries', async () => {
  const us = await aPeer();
  const [phone, foreign] = [await anEnd(7), await anEnd(8)];
  us.peer.connect(to(phone.port));
  await phone.send(us.peer.port, { count: 5 });
  await arrives(us.heard, 4);
  const before = us.heard();

  for (const payload of [0, 8, 101, 77]) await foreign.send(us.peer.port, { payload });
  await foreign.send(us.peer.port, { count: 20 });
  // The same stream's number from another address is foreign all the same.
  await foreign.send(us.peer.port, { count: 5, stream: 7 });
  // And a second stream from the phone's own address, as long as the first one goes on.
  await phone.send(us.peer.port, { count: 5, stream: 9 });
  await phone.send(us.peer.port, { count: 10 });
  await arrives(us.heard, before + 9);
  expect(us.heard()).toBeLessThanOrEqual(before + 11);
  us.speak(10);
  await arrives(phone.received, 10);
  expect([foreign.received(), us.keys]).toEqual([0, []]);
});

test('before the phone has spoken, too, single packets from elsewhere change nothing', async () => {
  const us = await aPeer();
  const [phone, foreign] = [await anEnd(7), await anEnd(8)];
  us.peer.connect(to(phone.port));
  for (const payload of [77, 101, 0]) await foreign.send(us.peer.port, { payload });
  us.speak(5);
  await arrives(phone.received, 5);
  expect([foreign.received(), us.heard()]).toEqual([0, 0]);
});

test('a phone behind a router, whose sound comes from another address than it announced, is learned and held', async () => {
  const us = await aPeer();
  const [announced, router, foreign] = [await anEnd(1), await anEnd(7), await anEnd(8)];
  us.peer.connect(to(announced.port));
  // A foreign packet in between does not keep it from being learned.
  await router.send(us.peer.port, { count: 2 });
  await foreign.send(us.peer.port);
  await router.send(us.peer.port, { count: 6 });
  await arrives(us.heard, 3);
  us.speak(5);
  await arrives(router.received, 5);
  await foreign.send(us.peer.port, { count: 10 });
  us.speak(5);
  await arrives(router.received, 10);
  expect([announced.received(), foreign.received()]).toEqual([0, 0]);
});

test('the phone’s own word that its sound has moved makes it be learned anew', async () => {
  const us = await aPeer();
  const [before, after] = [await anEnd(7), await anEnd(9)];
  us.peer.connect(to(before.port));
  await before.send(us.peer.port, { count: 3 });
  await arrives(us.heard, 2);
  us.peer.connect(to(after.port));
  await after.send(us.peer.port, { count: 5 });
  await arrives(us.heard, 6);
  us.speak(5);
  await arrives(after.received, 5);
  expect(before.received()).toBe(0);
  // The same address said once more keeps what was learned.
  us.peer.connect({ ...to(after.port), sends: false });
  us.speak(5);
  us.peer.connect(to(after.port));
  us.speak(1);
  await arrives(after.received, 6);
  expect(after.received()).toBe(6);
});
