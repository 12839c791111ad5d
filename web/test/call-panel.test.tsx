import { expect, test } from 'vitest';
import { calls, live, type Answer, type EventData } from '#contract';
import type { Line } from '#ui/phone/media-client.ts';
import { CallPanel } from '../src/features/calls/phone/CallPanel.tsx';
import { phone } from '../src/features/calls/phone/phone.ts';
import { onPhoneEvent } from '../src/features/calls/phone/phone-events.ts';
import { renderScreen, requestsTo, screen, waitFor } from './screen.tsx';

const callId = (live.operations.getLiveCall.example.answer as Answer<typeof live.getLiveCall>).data
  .id;
const news = (type: 'ringing' | 'answered'): EventData<typeof calls.inAppCalling> => ({
  type,
  callId,
  leg: 'leg-1',
  joinToken: 'leg-1~t',
  from: '+12125550147',
  number: { id: 1, number: '+12125552300', label: 'Main line' },
  contact: null,
  expiresAt: null,
  companyId: 1,
  outbound: false,
  status: null,
  because: null,
});
const line: Line = {
  leg: 'leg-1',
  direction: 'in',
  state: 'answered',
  from: '+12125550147',
  to: '+12125552300',
  callerName: null,
  held: false,
  startedAt: Date.now(),
  answeredAt: Date.now(),
};

test('a call the server doesn’t know as answered yet can be hung up, but not held or transferred', async () => {
  phone.set({
    media: {
      connection: 'ready',
      lines: [line],
      muted: false,
      microphone: { kind: 'synthetic', because: 'none' },
    },
    info: {},
  });
  onPhoneEvent(news('ringing'));
  const { user } = renderScreen(<CallPanel />);
  const hold = await screen.findByRole('button', { name: 'Hold' });
  expect(hold.hasAttribute('disabled')).toBe(true);
  expect(screen.queryByRole('button', { name: 'Park' })).toBeNull();
  await user.keyboard('{Control>}{Shift>}h{/Shift}{/Control}');
  expect(requestsTo(calls.holdCall)).toEqual([]);
  expect(screen.getByRole('button', { name: 'Hang up' }).hasAttribute('disabled')).toBe(false);
  onPhoneEvent(news('answered'));
  await waitFor(() => expect(hold.hasAttribute('disabled')).toBe(false));
  await screen.findByRole('button', { name: 'Park' });
  await user.click(hold);
  await waitFor(() => expect(requestsTo(calls.holdCall)).toHaveLength(1));
  phone.set({ media: null, info: {} });
});
