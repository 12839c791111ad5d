import { expect, test } from 'vitest';
import { LaneSlots, RequestSlot } from './lanes.ts';

const limits = { slots: 4, perCompany: 2, perPerson: 1, deadlineMs: 60, statementShare: 1 };
const company = (companyId: number, personId = 0) => ({ companyId, personId });
/** Who is let in, in order; each stays inside. */
function crowd(slots: LaneSlots) {
  const inside: string[] = [];
  const enter = (name: string, user: { companyId: number; personId: number }) => {
    const entered = slots.enter(user);
    entered.then(
      () => inside.push(name),
      () => {},
    );
    return entered;
  };
  return { inside, enter };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a company has at most its part, and another gets in at once', async () => {
  const { inside, enter } = crowd(new LaneSlots('lists', limits));
  const refused = enter('a3', company(1));
  void refused.catch(() => {});
  const first = [enter('a1', company(1)), enter('a2', company(1)), enter('b1', company(2))];
  await settled();
  expect(inside).toEqual(['a3', 'a1', 'b1']);
  (await refused)();
  await Promise.all(first);
  expect(inside).toEqual(['a3', 'a1', 'b1', 'a2']);
});

test('whoever has fewest inside comes first, not whoever waits longest', async () => {
  const { inside, enter } = crowd(
    new LaneSlots('lists', { ...limits, slots: 2, deadlineMs: 5000 }),
  );
  const first = await enter('a1', company(1));
  await enter('b1', company(2));
  void enter('b2', company(2));
  void enter('c1', company(3));
  first();
  await settled();
  expect(inside).toEqual(['a1', 'b1', 'c1']);
});

test('a person has at most their part of the company’s', async () => {
  const { inside, enter } = crowd(new LaneSlots('lists', { ...limits, deadlineMs: 5000 }));
  void enter('x', company(1, 10));
  void enter('x again', company(1, 10));
  void enter('y', company(1, 11));
  await settled();
  expect(inside).toEqual(['x', 'y']);
});

test('who waits too long is refused, and no slot is lost', async () => {
  const slots = new LaneSlots('lists', { ...limits, slots: 1 });
  const giveBack = await slots.enter(company(1));
  await expect(slots.enter(company(2))).rejects.toMatchObject({ code: 'busy' });
  giveBack();
  giveBack();
  const next = await slots.enter(company(2));
  const after = slots.enter(company(3));
  next();
  await expect(after).resolves.toBeTypeOf('function');
});

test('a client that has gone leaves the queue', async () => {
  const slots = new LaneSlots('lists', { ...limits, slots: 1, deadlineMs: 5000 });
  const giveBack = await slots.enter(company(1));
  const gone = new AbortController();
  const waiting = slots.enter(company(2), gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  giveBack();
  await expect(slots.enter(company(3))).resolves.toBeTypeOf('function');
});

test('a request that was let in once comes first the next time, however long it takes', async () => {
  const slots = new LaneSlots('writes', { ...limits, slots: 1 });
  const request = new RequestSlot(slots, company(1), undefined);
  await request.enter();
  await request.enter();
  request.leave();
  const other = slots.enter(company(2));
  request.leave();
  const giveBack = await other;
  const again = request.enter();
  const later = slots.enter(company(3));
  await expect(later).rejects.toMatchObject({ code: 'busy' });
  giveBack();
  await expect(again).resolves.toBeUndefined();
});
