import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CarrierNotConnectedError } from '../../gateways/carrier.ts';
import type { Gateways } from '../../gateways/index.ts';
import type { OutgoingText, SendResult } from '../../gateways/messaging.ts';
import { createRequestSlots } from './request-slots.ts';
import { submitText } from './submit-text.ts';

const text: OutgoingText = {
  from: '+14155550100',
  to: '+12125550100',
  text: 'Hi',
  media: [],
  key: 'k',
};
const accepted: SendResult = { state: 'accepted', providerId: 'p-1' };
/** Submits through a carrier that responds like this; `late` collects late acceptances. */
function submit(send: () => Promise<SendResult>) {
  const late: SendResult[] = [];
  const carriers = { messaging: () => ({ send }) } as unknown as Gateways['carriers'];
  const gateways = { carriers } as Gateways;
  const result = submitText(gateways, { carrier: 'sandbox', text }, (r) => late.push(r));
  return { result, late };
}

describe('submitting a text', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('an error after the request is a lost response, because the carrier may have taken it', async () => {
    const { result } = submit(() => Promise.reject(new Error('socket hang up')));
    expect(await result).toEqual({ state: 'unknown', reason: 'Error: socket hang up' });
  });

  test('a carrier that is not connected has nothing of it, so it may wait', async () => {
    const { result } = submit(() => {
      throw new CarrierNotConnectedError('sandbox', 'texts');
    });
    expect(await result).toMatchObject({
      state: 'refused',
      code: 'carrier_away',
      permanent: false,
    });
  });

  test('no response for ten seconds is a lost one; an acceptance after that is reported', async () => {
    let respond: (result: SendResult) => void = () => {};
    const { result, late } = submit(() => new Promise((resolve) => (respond = resolve)));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(late).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ state: 'unknown' });
    respond(accepted);
    await vi.advanceTimersByTimeAsync(0);
    expect(late).toEqual([accepted]);
  });
});

test('request slots are given in the order they were asked for, and never more than there are', async () => {
  const slots = createRequestSlots(2);
  const running: number[] = [];
  const ask = (n: number) => slots.acquire().then(() => running.push(n));
  await Promise.all([ask(1), ask(2)]);
  const [third, fourth] = [ask(3), ask(4)];
  await Promise.resolve();
  expect(running).toEqual([1, 2]);
  slots.release();
  await third;
  expect(running).toEqual([1, 2, 3]);
  slots.release();
  await fourth;
  expect(running).toEqual([1, 2, 3, 4]);
});
