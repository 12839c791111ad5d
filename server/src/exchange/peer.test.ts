import { expect, test } from 'vitest';
import { loudnessAt } from '../platform/audio/loudness.ts';
import { mintMediaToken } from './media-token.ts';
import { openTestBrowser } from '../../test/support/browser-phone.ts';
import { startTestExchange, toyPitchHz } from '../../test/support/exchange-harness.ts';
import { addPublicCandidates } from './peer.ts';

const sdp = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'a=candidate:f1 1 udp 2130706431 10.0.0.5 40012 typ host',
  'a=candidate:f2 1 udp 2130706430 172.17.0.1 40013 typ host',
  'a=end-of-candidates',
  '',
].join('\r\n');

test('behind a NAT each candidate is repeated with the public address, on the same port and after its own', () => {
  expect(addPublicCandidates(sdp, '203.0.113.7').split('\r\n')).toEqual([
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'a=candidate:f1 1 udp 2130706431 10.0.0.5 40012 typ host',
    'a=candidate:f1o 1 udp 2130706430 203.0.113.7 40012 typ host',
    'a=candidate:f2 1 udp 2130706430 172.17.0.1 40013 typ host',
    'a=candidate:f2o 1 udp 2130706429 203.0.113.7 40013 typ host',
    'a=end-of-candidates',
    '',
  ]);
});
test('without a public address, or with its own, the candidates stay as they are', () => {
  expect([addPublicCandidates(sdp, '10.0.0.5'), addPublicCandidates(sdp, undefined)]).toEqual([
    sdp,
    sdp,
  ]);
});
test('audio connects even when the public address does not work', async () => {
  const world = await startTestExchange({ publicAddress: '203.0.113.7' });
  const outside = await openTestBrowser(
    world.url,
    mintMediaToken(
      { kind: 'handset', number: '+12125550147', device: 'h' },
      world.secret,
      Date.now() + 60_000,
    ),
  );
  try {
    const call = await outside.dial('+14155552368');
    await world.perform(
      { do: 'answer', leg: call.leg },
      {
        do: 'play',
        leg: call.leg,
        prompts: [
          { kind: 'say', text: 'Kindly wait, kindly wait, kindly wait, kindly wait, kindly wait' },
        ],
      },
    );
    await expect
      .poll(() => loudnessAt(call.heard(300), toyPitchHz('K'), 16_000), {
        timeout: 30_000,
        interval: 40,
      })
      .toBeGreaterThan(0.08);
    call.disconnect();
  } finally {
    outside.leave();
    await world.close();
  }
});
