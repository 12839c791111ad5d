import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { MessagingCarrier } from '../../src/gateways/messaging.ts';

interface MessagingUnderTest {
  messaging: MessagingCarrier;
  from: string;
  to: string;
  /** A destination that opted out at the carrier. */
  optedOutNumber: string;
  /** How many texts the carrier accepted. */
  acceptedCount(): Promise<number>;
  setUnreachable(on: boolean): Promise<void>;
  /** Runs work during which a text's response is lost although the carrier sent it. */
  withLostResponses<R>(meanwhile: () => Promise<R>): Promise<R>;
}

/** What every messaging carrier must do. */
export function testMessagingConformance(open: () => Promise<MessagingUnderTest>): void {
  const text = (t: MessagingUnderTest, more: object = {}) => ({
    from: t.from,
    to: t.to,
    text: `Hello ${randomUUID()}`,
    media: [],
    key: `m.1.${Math.floor(Math.random() * 1e12)}`,
    ...more,
  });

  it('accepts a text and finds it by its key', async () => {
    const t = await open();
    const one = text(t);
    const sent = await t.messaging.send(one);
    expect(sent).toMatchObject({ state: 'accepted', providerId: expect.stringMatching(/.+/) });
    expect(await t.messaging.findByKey(one.key)).toMatchObject({
      providerId: (sent as { providerId: string }).providerId,
    });
    expect(await t.messaging.findByKey('m.1.999999')).toBeNull();
  });
  it('sends one text per key, however often it is requested', async () => {
    const t = await open();
    const one = text(t);
    const before = await t.acceptedCount();
    await t.messaging.send(one);
    await t.messaging.send(one);
    expect((await t.acceptedCount()) - before).toBe(1);
  });
  it('reports an opted-out recipient as a permanent refusal', async () => {
    const t = await open();
    expect(await t.messaging.send(text(t, { to: t.optedOutNumber }))).toMatchObject({
      state: 'refused',
      code: 'opted_out',
      permanent: true,
    });
  });
  it('an unreachable carrier certainly did not accept the text, which may be sent again', async () => {
    const t = await open();
    const one = text(t);
    await t.setUnreachable(true);
    expect(await t.messaging.send(one)).toMatchObject({ state: 'refused', permanent: false });
    await t.setUnreachable(false);
    expect(await t.messaging.send(one)).toMatchObject({ state: 'accepted' });
  });
  it('a lost response is unknown, not refused; the text is found by key and was sent once', async () => {
    const t = await open();
    const one = text(t);
    const before = await t.acceptedCount();
    expect(await t.withLostResponses(() => t.messaging.send(one))).toMatchObject({
      state: 'unknown',
    });
    expect(await t.messaging.findByKey(one.key)).not.toBeNull();
    expect((await t.acceptedCount()) - before).toBe(1);
  });
}
