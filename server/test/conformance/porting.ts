import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { PortingCarrier, PortOrder, PortReport } from '../../src/gateways/porting.ts';

interface PortingUnderTest {
  porting: PortingCarrier;
  /** A number that can be ported, and one that can't. */
  portable: string;
  unportable: string;
  /** The carriers take the order to this state. */
  reach(
    ref: string,
    state: 'inProgress' | 'firmOrderScheduled' | 'completed' | 'rejected',
  ): Promise<void>;
  /** How many orders the carrier has that were not cancelled. */
  createdCount(): Promise<number>;
  setUnreachable(on: boolean): Promise<void>;
  /** From now on an order is accepted and its connection drops before the response. */
  loseResponses(on: boolean): Promise<void>;
}
/** The carrier's id of an accepted order. */
export const refOf = (submitted: Awaited<ReturnType<PortingCarrier['submit']>>): string => {
  if ('refused' in submitted) throw new Error(`refused: ${submitted.refused.text}`);
  return submitted.ref;
};

export const samplePortOrder = (number: string, change: Partial<PortOrder> = {}): PortOrder => ({
  key: `port-1-${Math.floor(Math.random() * 1e9)}`,
  numbers: [number],
  service: 1,
  losingCarrier: 'Old Bell',
  accountNumber: 'A-100',
  pin: '4321',
  billingTelephoneNumber: number,
  customerType: 'business',
  entityName: 'Harbor Dental LLC',
  authorized: {
    firstName: 'Ann',
    lastName: 'Rivers',
    email: 'ann@harbor.test',
    phone: '+12125550148',
  },
  serviceAddress: {
    line1: '1 Pier Road',
    line2: 'Floor 2',
    city: 'Boston',
    state: 'MA',
    zip: '02110',
    country: 'US',
  },
  requestedDate: '2026-12-15',
  partial: false,
  documents: [
    {
      kind: 'loa',
      name: 'letter.pdf',
      contentType: 'application/pdf',
      bytes: Buffer.from('%PDF-1.4 letter'),
    },
    {
      kind: 'bill',
      name: 'bill.pdf',
      contentType: 'application/pdf',
      bytes: Buffer.from('%PDF-1.4 bill'),
    },
  ],
  ...change,
});

/** What every carrier that ports numbers in must do. */
export function testPortingConformance(open: () => Promise<PortingUnderTest>): void {
  it('reports for each number whether it can be ported, and why not as the end of a sentence', async () => {
    const t = await open();
    const [yes, no] = await t.porting.checkPortability([t.portable, t.unportable]);
    expect(yes).toMatchObject({ number: t.portable, portable: true, reason: null });
    expect(no).toMatchObject({ number: t.unportable, portable: false });
    expect(no!.reason).toMatch(/^[^.]{6,}$/);
  });
  it('an order submitted twice is one order, and its reports carry our key', async () => {
    const t = await open();
    const [order, before] = [samplePortOrder(t.portable), await t.createdCount()];
    const first = { ref: refOf(await t.porting.submit(order)) };
    expect(await t.porting.submit(order)).toEqual(first);
    expect((await t.createdCount()) - before).toBe(1);
    expect(await t.porting.getOrder(order.key)).toMatchObject({ ref: first.ref, key: order.key });
    expect(await t.porting.getOrder(`nobody-${randomUUID()}`)).toBeNull();
    await t.porting.cancel(order.key);
  });
  it('the sequence number grows only when the state changes; the firm date is reported', async () => {
    const t = await open();
    const order = samplePortOrder(t.portable);
    const ref = refOf(await t.porting.submit(order));
    const heard: PortReport[] = [(await t.porting.getOrder(order.key))!];
    for (const state of ['inProgress', 'firmOrderScheduled', 'completed'] as const) {
      await t.reach(ref, state);
      heard.push((await t.porting.getOrder(order.key))!, (await t.porting.getOrder(order.key))!);
    }
    expect(
      heard
        .map((r) => r.state)
        .filter((s, i, all) => s !== all[i - 1])
        .slice(-3),
    ).toEqual(['inProgress', 'firmOrderScheduled', 'completed']);
    for (let i = 1; i < heard.length; i++)
      expect(heard[i]!.seq - heard[i - 1]!.seq, JSON.stringify(heard)).toBe(
        heard[i]!.state === heard[i - 1]!.state
          ? 0
          : Math.max(1, heard[i]!.seq - heard[i - 1]!.seq),
      );
    expect(heard.find((r) => r.state === 'firmOrderScheduled')!.focDate).toMatch(
      /^\d{4}-\d\d-\d\d$/,
    );
    expect(await t.porting.cancel(order.key)).toBe('too_late');
  });
  it('a rejection says why; a corrected order continues', async () => {
    const t = await open();
    const order = samplePortOrder(t.portable, { pin: '0000' });
    await t.reach(refOf(await t.porting.submit(order)), 'rejected');
    const refused = (await t.porting.getOrder(order.key))!;
    expect(refused.state).toBe('rejected');
    expect(refused.rejection!.text.length).toBeGreaterThan(5);
    await t.porting.submit({ ...order, pin: '4321' });
    const after = (await t.porting.getOrder(order.key))!;
    expect([after.state !== 'rejected', after.seq > refused.seq, after.key]).toEqual([
      true,
      true,
      order.key,
    ]);
    await t.porting.cancel(order.key);
  });
  it('cancelling is idempotent', async () => {
    const t = await open();
    const order = samplePortOrder(t.portable);
    expect(await t.porting.cancel(order.key)).toBe('none');
    await t.porting.submit(order);
    expect(await t.porting.cancel(order.key)).toBe('canceled');
    expect(await t.porting.cancel(order.key)).toBe('canceled');
  });
  it('an order whose response was lost is found: it stays one order and can be read and cancelled', async () => {
    const t = await open();
    const [order, before] = [samplePortOrder(t.portable), await t.createdCount()];
    await t.loseResponses(true);
    await expect(t.porting.submit(order)).rejects.toThrow();
    await t.loseResponses(false);
    expect((await t.createdCount()) - before).toBe(1);
    const { ref } = (await t.porting.getOrder(order.key))!;
    expect(await t.porting.submit(order)).toEqual({ ref });
    expect((await t.createdCount()) - before).toBe(1);
    expect(await t.porting.cancel(order.key)).toBe('canceled');
    const another = samplePortOrder(t.portable);
    await t.loseResponses(true);
    await expect(t.porting.submit(another)).rejects.toThrow();
    await t.loseResponses(false);
    expect(await t.porting.cancel(another.key)).toBe('canceled');
    expect(await t.createdCount()).toBe(before);
  });
  it('an unreachable carrier throws, and the same order is accepted once later', async () => {
    const t = await open();
    const [order, before] = [samplePortOrder(t.portable), await t.createdCount()];
    await t.setUnreachable(true);
    await expect(t.porting.submit(order)).rejects.toThrow();
    await expect(t.porting.checkPortability([t.portable])).rejects.toThrow();
    await t.setUnreachable(false);
    await t.porting.submit(order);
    expect((await t.createdCount()) - before).toBe(1);
    await t.porting.cancel(order.key);
  });
}
