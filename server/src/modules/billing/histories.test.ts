import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billing, subscription } from '#contract';
import type { PlanId } from '#contract/billing/rules';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { takeDunningStep } from './dunning/take-step.ts';
import { balanceOf } from './ledger/store-ledger.ts';
import { collect } from './payments/collect.ts';
import { closePeriods } from './periods/close-period.ts';
import { insertTaxChange, saveException } from './tax/store-tax.ts';
import type { Tx } from '../../platform/db.ts';

/**
 * Random stories of companies that buy, change, end and pay, against a small model that shares no
 * code with the server: every invoice and its tax, the balance and the state are the same after each step.
 * `BILLING_HISTORIES` and `BILLING_SEED` for more of them.
 */
const histories = Number(process.env['BILLING_HISTORIES'] ?? 12);
const seed = Number(process.env['BILLING_SEED'] ?? 7);

/** The catalogue once more, by hand: cents a period, months of it, rank and minutes a month. */
const catalogue = {
  starter: { cents: 1900, months: 1, rank: 1, minutes: 500 },
  unlimited_monthly: { cents: 3900, months: 1, rank: 3, minutes: 5000 },
  unlimited_yearly: { cents: 39_600, months: 12, rank: 3, minutes: 5000 },
  premium_monthly: { cents: 7900, months: 1, rank: 4, minutes: 10_000 },
  premium_yearly: { cents: 79_200, months: 12, rank: 4, minutes: 10_000 },
  deluxe_monthly: { cents: 14_900, months: 1, rank: 5, minutes: 20_000 },
  deluxe_yearly: { cents: 148_800, months: 12, rank: 5, minutes: 20_000 },
} as const;
type Sold = keyof typeof catalogue;
const sold = Object.keys(catalogue) as Sold[];
const day = 86_400_000;
const cards = { pays: '4242424242424242', declines: '4000000000000341' } as const;
type Card = keyof typeof cards;
/** How an account can be taxed: thousandths of a percent. */
const taxes = [0, 8875, 20_000, 7250, 333] as const;

/** A number of months after a time, on its day or the last one of a shorter month; in UTC. */
function monthsAfter(from: number, months: number): number {
  const at = new Date(from);
  const wanted = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(wanted, last));
  return at.getTime();
}
/** The first step of so many months from the anchor that lies beyond a time. */
function stepBeyond(anchor: number, months: number, at: number): number {
  let n = 1;
  while (monthsAfter(anchor, n * months) <= at) n += 1;
  return monthsAfter(anchor, n * months);
}
/** A share of an amount, rounded to whole cents. */
const share = (cents: number, part: number, whole: number): number =>
  Math.round((cents * part) / whole - 1e-9);

/** What should happen to a company's money. */
class Model {
  state: 'none' | 'active' | 'canceling' | 'past_due' | 'ended' = 'none';
  plan: Sold | null = null;
  pending: Sold | null = null;
  card: Card | null = null;
  owed = 0;
  taxRate = 0;
  suspended = false;
  readonly invoices: { total: number; tax: number }[] = [];
  readonly used: { at: number; minutes: number }[] = [];
  private anchor = 0;
  private from = 0;
  private until = 0;
  private usageFrom = 0;
  private usageUntil = 0;
  private inTrial = false;
  private hadTrial = false;
  private unpaidSince: number | null = null;
  private steps = 0;

  constructor(
    public now: number,
    private readonly included: boolean,
  ) {}

  private invoice(lines: readonly number[]): void {
    if (lines.length === 0) return;
    const sum = lines.reduce((all, cents) => all + cents, 0);
    const size = (Math.abs(sum) * this.taxRate) / (100_000 + (this.included ? this.taxRate : 0));
    const tax = Math.sign(sum) * Math.round(size) || 0;
    const total = this.included ? sum : sum + tax;
    this.invoices.push({ total, tax });
    this.owed += total;
  }
  private beyond(from: number, to: number): number[] {
    const minutes = this.used
      .filter(({ at }) => at >= from && at < to)
      .reduce((sum, one) => sum + one.minutes, 0);
    const over = this.plan ? minutes - catalogue[this.plan].minutes : 0;
    return over > 0 ? [over * 4] : [];
  }
  private begin(plan: Sold, anchor: number, at: number): void {
    this.plan = plan;
    this.anchor = anchor;
    this.from = this.usageFrom = at;
    this.until = stepBeyond(anchor, catalogue[plan].months, at);
    this.usageUntil = stepBeyond(anchor, 1, at);
  }
  /** Asks for what is owed. */
  private charge(): void {
    if (this.owed <= 0) return;
    if (this.card === 'pays') {
      this.owed = 0;
      if (this.state === 'past_due') this.state = 'active';
      if (this.state !== 'ended') this.unpaidSince = null;
      this.suspended = false;
    } else if (this.state === 'active' || this.state === 'canceling') {
      this.state = 'past_due';
      this.unpaidSince = this.now;
      this.steps = 0;
    }
  }
  /** A day later, with what the clocks do. */
  passDay(): void {
    this.now += day;
    let closed = false;
    while (this.state === 'active' || this.state === 'canceling') {
      if (!this.inTrial && this.usageUntil < this.until && this.usageUntil <= this.now) {
        this.invoice(this.beyond(this.usageFrom, this.usageUntil));
        this.usageFrom = this.usageUntil;
        this.usageUntil = stepBeyond(this.anchor, 1, this.usageFrom);
      } else if (this.until <= this.now) this.endPeriod();
      else break;
      closed = true;
    }
    if (closed) this.charge();
    this.dun();
  }
  private endPeriod(): void {
    const end = this.until;
    const before = this.plan!;
    const over = this.inTrial ? [] : this.beyond(this.usageFrom, end);
    if (this.state === 'canceling') {
      this.invoice(over);
      this.state = 'ended';
    } else {
      const next = this.pending ?? before;
      this.invoice([catalogue[next].cents, ...over]);
      const sameLength = catalogue[next].months === catalogue[before].months;
      this.begin(next, !this.inTrial && sameLength ? this.anchor : end, end);
    }
    this.inTrial = false;
    this.pending = null;
  }
  private dun(): void {
    const steps = [1, 5, 10, 15, 25] as const;
    const due = steps[this.steps];
    if (this.unpaidSince === null || this.state !== 'past_due' || due === undefined) return;
    if (this.now < this.unpaidSince + due * day) return;
    if (this.card) this.charge();
    if (this.state !== 'past_due') return;
    this.steps += 1;
    if (due === 15) this.suspended = true;
    if (due !== 25) return;
    this.state = 'ended';
    this.inTrial = false;
    this.pending = null;
  }
  choose(plan: Sold): void {
    if (this.state === 'none' || this.state === 'ended') this.buy(plan);
    else if (this.state === 'active' && plan !== this.plan) this.change(this.plan!, plan);
    else return;
    this.charge();
  }
  private buy(plan: Sold): void {
    if (this.hadTrial && !this.card) return;
    this.state = 'active';
    this.unpaidSince = null;
    this.begin(plan, this.now, this.now);
    if (this.hadTrial) return this.invoice([catalogue[plan].cents]);
    this.inTrial = this.hadTrial = true;
    this.until = this.now + 14 * day;
  }
  private change(from: Sold, to: Sold): void {
    const [a, b] = [catalogue[from], catalogue[to]];
    if (this.inTrial) {
      this.plan = to;
      this.pending = null;
    } else if (b.rank < a.rank || (b.rank === a.rank && b.months < a.months)) this.pending = to;
    else {
      const [left, whole] = [this.until - this.now, this.until - this.from];
      const credit = share(a.cents, left, whole);
      const credits = credit > 0 ? [-credit] : [];
      if (a.months === b.months) {
        const rest = share(b.cents, left, whole);
        this.invoice([...(rest > 0 ? [rest] : []), ...credits]);
        this.plan = to;
      } else {
        this.invoice([b.cents, ...credits, ...this.beyond(this.usageFrom, this.now)]);
        this.begin(to, this.now, this.now);
      }
      this.pending = null;
    }
  }
  cancel(): void {
    if (this.state !== 'active') return;
    this.state = 'canceling';
    this.pending = null;
  }
  keep(): void {
    if (this.state === 'canceling') this.state = 'active';
  }
  revert(): void {
    this.pending = null;
  }
  enterCard(card: Card): void {
    this.card = card;
    this.charge();
  }
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ act: fc.constant('days'), n: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('choose'), n: fc.nat(sold.length - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constant('use'), n: fc.integer({ min: 1, max: 14_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('pays', 'declines'), n: fc.constant(0) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('cancel', 'keep', 'revert'), n: fc.constant(0) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('tax'), n: fc.nat(taxes.length - 1) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('hours'), n: fc.integer({ min: 1, max: 80_000 }) }),
  },
);

const app = await createTestApp({ clock: 'still' });
/** Stories begin within four years, so that months of every length are met. */
const firstDay = app.clock.value.getTime();
const of = (who: TestPerson) => ({ params: { companyId: who.companyId } });

/** The server's side of a step. */
async function perform(who: TestPerson, act: string, n: number, count: number): Promise<void> {
  const as = app.as(who);
  const ctx = () => systemCtx(app.services, who.companyId, app.notifier);
  if (act === 'choose')
    await as.request(subscription.migrateSubscription, {
      ...of(who),
      body: { identifier: sold[n] as PlanId },
    });
  if (act === 'cancel')
    await as.request(subscription.cancelSubscription, { ...of(who), body: { reason: 'unused' } });
  if (act === 'keep') await as.request(subscription.clearCancel, of(who));
  if (act === 'revert') await as.request(subscription.revertPendingProductChange, of(who));
  if (act === 'pays' || act === 'declines')
    await as.request(billing.updateCompanyBilling, {
      ...of(who),
      body: { cc_number: cards[act], cc_exp: '09/39', cc_cvc: '123' },
    });
  if (act === 'use')
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('usage_entry')
        .values({
          ...{ company_id: who.companyId, component: 'voice_minutes', cause: `use:${count}` },
          ...{ quantity: n, at: app.clock.value },
        })
        .execute(),
    );
  if (act === 'tax')
    await ctx().transaction((t) =>
      saveException(
        t.tx,
        who.companyId,
        taxes[n]
          ? {
              ...{ treatment: 'rate', reason: '', number: '' },
              ...{ name: 'Sales tax', rate: taxes[n], updated_at: app.clock.value },
            }
          : null,
      ),
    );
  if (act === 'day') {
    app.clock.advance(86_400);
    if (await ctx().transaction(closePeriods)) await collect(ctx());
    await takeDunningStep(ctx());
  }
}

const taxEntered = async (tx: Tx, companyId: number): Promise<number> =>
  (
    await tx
      .selectFrom('ledger_entry')
      .select('amount_cents')
      .where('company_id', '=', companyId)
      .where('kind', '=', 'tax')
      .execute()
  ).reduce((sum, one) => sum + one.amount_cents, 0);

async function readBooks(companyId: number) {
  return app.services.db.systemTransaction(async (tx) => ({
    row: await tx
      .selectFrom('subscription')
      .select(['state', 'plan', 'pending_plan', 'cancel_at'])
      .where('company_id', '=', companyId)
      .executeTakeFirst(),
    invoices: (
      await tx
        .selectFrom('invoice')
        .select(['total_cents', 'tax_cents'])
        .where('company_id', '=', companyId)
        .orderBy('number')
        .execute()
    ).map((one) => ({ total: one.total_cents, tax: one.tax_cents })),
    taxed: await taxEntered(tx, companyId),
    suspended:
      (
        await tx
          .selectFrom('company')
          .select('suspended_at')
          .where('id', '=', companyId)
          .executeTakeFirstOrThrow()
      ).suspended_at !== null,
    owed: await balanceOf(tx, companyId),
  }));
}
const stateNames = {
  none: 'not_subscribed',
  active: 'active',
  canceling: 'canceling',
  past_due: 'retry_period',
  ended: 'expired',
};

test('any story of a plan costs what a small model of it says, to the cent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(4 * 365),
      fc.boolean(),
      fc.array(step, { minLength: 4, maxLength: 14 }),
      async (begins, included, story) => {
        app.clock.value = new Date(firstDay + begins * day);
        const { owner } = await app.createCompany();
        const model = new Model(app.clock.value.getTime(), included);
        await app.services.db.systemTransaction((tx) =>
          insertTaxChange(tx, {
            ...{ name: 'Tax', rate: 0, included, seller_tax_id: '' },
            ...{ changed_by: 1, changed_by_name: 'Ann Fox', changed_at: app.clock.value },
          }),
        );
        const told: string[] = [];
        const compare = async (): Promise<void> => {
          const is = await readBooks(owner.companyId);
          expect(
            {
              state: is.row?.state ?? 'not_subscribed',
              plan: is.row?.plan ?? null,
              pending: is.row?.pending_plan ?? null,
              invoices: is.invoices,
              taxed: is.taxed,
              owed: is.owed,
              suspended: is.suspended,
              // Past due, it is kept by paying or ended by not paying.
              ends: model.state !== 'past_due' && is.row?.cancel_at != null,
            },
            told.join(', '),
          ).toEqual({
            state: stateNames[model.state],
            plan: model.plan,
            pending: model.pending,
            invoices: model.invoices,
            taxed: model.invoices.reduce((sum, { tax }) => sum + tax, 0),
            owed: model.owed,
            suspended: model.suspended,
            ends: model.state === 'canceling',
          });
        };
        for (const [count, { act, n }] of story.entries()) {
          told.push(act === 'choose' ? `choose ${sold[n]}` : `${act} ${n || ''}`.trim());
          if (act === 'hours') {
            app.clock.advance(n);
            model.now += n * 1000;
          } else if (act === 'days')
            for (let i = 0; i < n; i++) {
              await perform(owner, 'day', 0, count);
              model.passDay();
            }
          else {
            await perform(owner, act, n, count);
            if (act === 'tax') model.taxRate = taxes[n]!;
            if (act === 'choose') model.choose(sold[n]!);
            if (act === 'use') model.used.push({ at: model.now, minutes: n });
            if (act === 'pays' || act === 'declines') model.enterCard(act);
            if (act === 'cancel') model.cancel();
            if (act === 'keep') model.keep();
            if (act === 'revert') model.revert();
          }
          await compare();
        }
      },
    ),
    { numRuns: histories, seed, endOnFailure: histories > 100 },
  );
}, 7_200_000);
