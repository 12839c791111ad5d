import { describe, expect, it } from 'vitest';
import type { LegInstruction } from '../../src/adapters/shared/leg-instruction.ts';
import {
  buildTwiml,
  emptyMessagingResponse,
  type CallbackUrls,
} from '../../src/adapters/twilio/twiml.ts';
import { invalidTwiml } from './twiml-attributes.ts';

const samplePlaces: CallbackUrls = {
  voice: (l) => `https://x.test/voice?leg=${l}`,
  gather: (l, c) => `https://x.test/gather?leg=${l}&command=${c}`,
  recording: (l, r) => `https://x.test/recording?leg=${l}&recording=${r}`,
  dial: (l) => `https://x.test/dial?leg=${l}`,
  file: (n) => `https://x.test/file/${n}`,
  sound: (n) => `https://x.test/sounds/${n}.wav`,
};
const prompts = [
  { kind: 'say' as const, text: 'Hello & <welcome>' },
  { kind: 'play' as const, fileId: '1:2' },
  { kind: 'beep' as const },
];
const allInstructions: LegInstruction[] = [
  { kind: 'wait' },
  { kind: 'play', command: 'c', prompts },
  { kind: 'gather', command: 'c', prompts, maxDigits: 3, timeoutSeconds: 5, finishOn: '#' },
  { kind: 'gather', command: 'c', prompts, maxDigits: 1, timeoutSeconds: 5, finishOn: '' },
  { kind: 'music', musicId: null, file: null },
  { kind: 'music', musicId: 2, file: null },
  { kind: 'music', musicId: 1001, file: '1:3' },
  { kind: 'room', room: 'r', muted: false, coach: null },
  { kind: 'room', room: 'r', muted: true, coach: 'b' },
  {
    kind: 'keys',
    command: 'c',
    digits: '1w2#',
    then: { kind: 'room', room: 'r', muted: false, coach: null },
  },
  { kind: 'record', recordingId: 'r', maxSeconds: 120, beep: true, silenceSeconds: 10 },
  { kind: 'hangup' },
  { kind: 'reject', because: 'busy' },
  { kind: 'reject', because: 'blocked' },
];

describe('TwiML', () => {
  it('holds nothing that Twilio’s own types do not declare', () => {
    for (const doing of allInstructions)
      for (const answered of [true, false])
        expect(
          invalidTwiml(
            buildTwiml(doing, { leg: 'a', inbound: true, answered, coachRef: 'CA1' }, samplePlaces),
          ),
          JSON.stringify(doing),
        ).toEqual([]);
    expect(invalidTwiml(emptyMessagingResponse())).toEqual([]);
  });
  it('the check finds an unknown verb, an unknown attribute and a wrong value', () => {
    expect(invalidTwiml('<Response><Shout>hey</Shout></Response>')).toEqual([
      'there is no verb <Shout>',
    ]);
    expect(invalidTwiml('<Response><Dial loud="1"/><Reject reason="tired"/></Response>')).toEqual([
      '<Dial> has no attribute loud',
      '<Reject reason> cannot be "tired"',
    ]);
  });
  it('does not answer a ringing call: the document begins with a pause', () => {
    expect(
      buildTwiml({ kind: 'wait' }, { leg: 'a', inbound: true, answered: false }, samplePlaces),
    ).toContain('<Response><Pause length="2"/><Redirect method="POST">');
    expect(
      buildTwiml(
        { kind: 'gather', command: 'c', prompts, maxDigits: 1, timeoutSeconds: 5, finishOn: '' },
        { leg: 'a', inbound: true, answered: true },
        samplePlaces,
      ),
    ).toContain('finishOnKey=""');
  });
});
