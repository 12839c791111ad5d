import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { MessagingCarrier } from '../../src/ports/messaging.ts';

export interface MessagingUnderTest {
  messaging: MessagingCarrier;
  from: string;
  to: string;
  /** A destination whose owner told the carrier to stop. */
  stopped: string;
  /** How many texts the carrier took. */
  taken(): Promise<number>;
  away(on: boolean): Promise<void>;
  /** Meanwhile a text's answer is lost after the carrier did what was asked. */
  losingAnswers<R>(meanwhile: () => Promise<R>): Promise<R>;
}

/** What every messaging carrier promises. */
export function messagingConforms(open: () => Promise<MessagingUnderTest>): void {
  const text = (t: MessagingUnderTest, more: object = {}) => ({
    from: t.from,
    to: t.to,
    text: `Hello ${randomUUID()}`,
    media: [],
    key: `m.1.${Math.floor(Math.random() * 1e12)}`,
    ...more,
  });

  it('accepts a text and knows it by its key', async () => {
    const t = await open();
    const one = text(t);
    const sent = await t.messaging.send(one);
    expect(sent).toMatchObject({ state: 'accepted', providerId: expect.stringMatching(/.+/) });
    expect(await t.messaging.askByKey(one.key)).toMatchObject({
      providerId: (sent as { providerId: string }).providerId,
    });
    expect(await t.messaging.askByKey('m.1.999999')).toBeNull();
  });
  it('sends one text a key, however often it is asked', async () => {
    const t = await open();
    const one = text(t);
    const before = await t.taken();
    await t.messaging.send(one);
    await t.messaging.send(one);
    expect((await t.taken()) - before).toBe(1);
  });
  it('says in our words that the recipient opted out, for good', async () => {
    const t = await open();
    expect(await t.messaging.send(text(t, { to: t.stopped }))).toMatchObject({
      state: 'refused',
      code: 'opted_out',
      permanent: true,
    });
  });
  it('away: the text was certainly not taken, and may be tried again', async () => {
    const t = await open();
    const one = text(t);
    await t.away(true);
    expect(await t.messaging.send(one)).toMatchObject({ state: 'refused', permanent: false });
    await t.away(false);
    expect(await t.messaging.send(one)).toMatchObject({ state: 'accepted' });
  });
  it('a lost answer is unknown, not refused; asked by key, it is found, and nothing went twice', async () => {
    const t = await open();
    const one = text(t);
    const before = await t.taken();
    expect(await t.losingAnswers(() => t.messaging.send(one))).toMatchObject({ state: 'unknown' });
    expect(await t.messaging.askByKey(one.key)).not.toBeNull();
    expect((await t.taken()) - before).toBe(1);
  });
}
