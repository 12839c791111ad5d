import { expect, test } from 'vitest';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { createServices } from '../../../app.ts';
import { acquireFromRates, type SendWait } from './acquire-send-slot.ts';
import { reserveCapacity } from './reserve-capacity.ts';
import type { Recent } from './sliding-window.ts';

const app = await createTestApp();

test('two workers share one rate: no second exceeds the limit, and little of it is unused', async () => {
  const { company } = await app.createCompany();
  const other = await createServices(app.services.settings, 'second-worker', {
    databaseWaitMs: 30_000,
  });
  const limit = 30;
  const limits = [
    { key: 'number:1', limit: 75 },
    { key: 'campaign:1:local', limit },
    { key: 'brand:1:local', limit: 225 },
  ];
  const sent: number[] = [];
  const until = performance.now() + 4000;
  /** One of sixteen senders; each sleeps until the slot of its next text, as jobs do. */
  const work = async (services: typeof app.services): Promise<void> => {
    let slotAt: Date | null = null;
    while (performance.now() < until) {
      const wait: SendWait | null = await services.db.transaction(
        { companyId: company.id },
        async (tx) => {
          const answer = await acquireFromRates({ tx, companyId: company.id }, limits, {
            segments: 1,
            slotAt,
            automatic: false,
          });
          // By the database's clock, because the arrival of results depends on the machine's load.
          if (answer === null)
            sent.push(
              Math.max(
                ...(
                  (
                    await tx
                      .selectFrom('send_rate')
                      .select('recent')
                      .where('company_id', '=', company.id)
                      .where('key', '=', 'campaign:1:local')
                      .executeTakeFirstOrThrow()
                  ).recent as unknown as Recent
                ).map(([at]) => at),
              ),
            );
          return answer;
        },
      );
      if (wait === null) slotAt = null;
      else {
        slotAt = wait.at;
        await new Promise((r) => setTimeout(r, wait.waitMs));
      }
    }
  };
  await Promise.all(
    [app.services, other].flatMap((services) => Array.from({ length: 8 }, () => work(services))),
  );
  await other.close();
  sent.sort((a, b) => a - b);
  const busiest = Math.max(
    ...sent.map((at) => sent.filter((s) => s >= at && s < at + 1000).length),
  );
  expect(busiest).toBeLessThanOrEqual(limit);
  const { rows } = await app.services.db.pool.query<{ key: string }>(
    'select key from send_rate where company_id = $1 order by key',
    [company.id],
  );
  expect(rows.map((r) => r.key)).toEqual(['brand:1:local', 'campaign:1:local', 'number:1']);
  // The first window is full at once; from then on slots come evenly.
  const used = (sent.length - limit) / ((sent.at(-1)! - sent[0]!) / 1000 - 1.01) / limit;
  console.log(
    `two workers: busiest second ${busiest} of ${limit}, ${used.toFixed(3)} of the limit used`,
  );
  // On a busy machine sleepers wake late (0.99 on an idle one); the pure bucket's own test holds
  // 0.97.
  expect(used).toBeGreaterThan(0.3);
  expect(used).toBeLessThanOrEqual(1.05);
}, 180_000);

/** One text per second from number 2; `slotAt`: what an earlier request of this text reserved. */
const requester =
  (companyId: number) =>
  (slotAt: Date | null, automatic = false): Promise<SendWait | null> =>
    app.services.db.transaction({ companyId }, (tx) =>
      acquireFromRates({ tx, companyId }, [{ key: 'number:2', limit: 1 }], {
        segments: 1,
        slotAt,
        automatic,
      }),
    );
const sleepUntil = (at: Date) => new Promise((r) => setTimeout(r, at.getTime() - Date.now() + 5));

test('new texts wait behind those that have a reservation', async () => {
  const { company } = await app.createCompany();
  const ask = requester(company.id);
  expect(await ask(null)).toBeNull();
  const slots = [await ask(null), await ask(null), await ask(null)].map((wait) => wait!.at);
  expect(slots[1]!.getTime() - slots[0]!.getTime()).toBeGreaterThan(950);
  expect(slots[2]!.getTime() - slots[1]!.getTime()).toBeGreaterThan(950);
  // A request before the reserved time keeps the reservation.
  expect((await ask(slots[1]!))!.at).toEqual(slots[1]);
  await sleepUntil(slots[0]!);
  expect((await ask(null))!.at.getTime()).toBeGreaterThan(slots[2]!.getTime());
  expect(await ask(slots[0]!)).toBeNull();
});

test("people's texts pass automatic ones that wait, and campaigns wait behind both", async () => {
  const { company } = await app.createCompany();
  const ask = requester(company.id);
  expect(await ask(null, true)).toBeNull();
  const first = (await ask(null, true))!;
  const second = (await ask(null, true))!;
  expect(second.at.getTime() - first.at.getTime()).toBeGreaterThan(950);
  const person = (await ask(null))!;
  expect(person.at.getTime()).toBeLessThanOrEqual(first.at.getTime());
  const capacity = await app.services.db.transaction({ companyId: company.id }, (tx) =>
    reserveCapacity({ tx, companyId: company.id }, 2, 1),
  );
  expect(capacity.segments).toBe(0);
  expect(capacity.waitMs).toBeGreaterThan(second.at.getTime() - Date.now());
  await sleepUntil(first.at);
  // The automatic text's time has come, but a person's text goes first and then takes its second.
  expect((await ask(first.at, true))!.at.getTime()).toBeGreaterThan(person.at.getTime());
  expect(await ask(person.at)).toBeNull();
});

test('companies do not wait for each other', async () => {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  expect(await requester(a.company.id)(null)).toBeNull();
  expect(await requester(a.company.id)(null)).not.toBeNull();
  expect(await requester(b.company.id)(null)).toBeNull();
});
