import { cleanup } from '@testing-library/react';
import { expect, test } from 'vitest';
import { HandsetCall } from '../src/features/handset/HandsetCall.tsx';
import type { CallActivity } from '../src/features/handset/sandbox.ts';
import { screen, renderScreen } from './screen.tsx';

type Props = Parameters<typeof HandsetCall>[0];
const nothing = async (): Promise<void> => {};
/** Renders the handset in an outbound call while `doing` runs. */
function inCall(doing: CallActivity) {
  const line: Props['line'] = {
    line: {
      leg: 'l',
      direction: 'out',
      state: doing === 'calling' ? 'dialling' : 'answered',
      from: '+12125550147',
      to: '+12125552300',
      callerName: null,
      held: false,
      startedAt: Date.now(),
      answeredAt: Date.now() - 65_000,
    },
    doing,
    snapshot: null,
    heard: [],
    ended: null,
    problem: null,
    dial: nothing,
    answer: nothing,
    decline: nothing,
    hangUp: nothing,
    press: nothing,
    speak: nothing,
    mute: () => {},
    useMicrophone: () => {},
    forget: () => {},
  };
  const phone: Props['phone'] = {
    name: 'Pat',
    number: '+12125550147',
    with: '+12125552300',
    says: '',
  };
  renderScreen(<HandsetCall phone={phone} line={line} known={[]} />);
  const said = screen.getByTestId('handset-state').textContent;
  cleanup();
  return said;
}

test('the handset shows “Ringing” only while someone’s phone rings', () => {
  const all: CallActivity[] = ['calling', 'greeting', 'menu', 'ringing', 'hold', 'voicemail'];
  expect(all.map(inCall)).toEqual([
    'Calling',
    'Listening to a greeting',
    'In menu',
    'Ringing',
    'On hold',
    'Leaving a voicemail',
  ]);
  expect(inCall('talking')).toBe('1:05');
});
