import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type {
  RegistrationCarrier,
  RegistrationDocuments,
  RegistrationReport,
} from '../../src/gateways/registration.ts';

interface RegistrationUnderTest {
  registration: RegistrationCarrier;
  /** Two numbers of the account at this carrier, of the kind under test. */
  numbers: readonly [string, string];
  kind: RegistrationDocuments['kind'];
  /** The reviewers decide about everything that waits for review. `reject`: with a reason of their own. */
  decide(ref: string, verdict: 'approve' | 'reject'): Promise<void>;
  /** How many registrations the carrier has stored. */
  createdCount(): Promise<number>;
  setUnreachable(on: boolean): Promise<void>;
}

export const sampleRegistration = (
  kind: RegistrationDocuments['kind'],
  numbers: readonly string[],
  change: { sample?: string } = {},
): RegistrationDocuments => ({
  kind,
  brand: {
    type: 'PRIVATE_PROFIT',
    legalForm: 'llc',
    legalName: 'Harbor Dental LLC',
    dba: 'Harbor Dental',
    ein: '123456789',
    altId: null,
    stock: null,
    vertical: 'healthcare',
    website: 'https://harbor.test',
    email: 'desk@harbor.test',
    phone: '+12125550147',
    supportEmail: 'help@harbor.test',
    supportPhone: '+12125550147',
    address: {
      line1: '1 Pier Road',
      line2: 'Floor 2',
      city: 'Boston',
      state: 'MA',
      zip: '02110',
      country: 'US',
    },
    contact: {
      firstName: 'Ann',
      lastName: 'Rivers',
      title: 'Director',
      email: 'ann@harbor.test',
      phone: '+12125550148',
    },
  },
  campaign: {
    useCase: 'CUSTOMER_CARE',
    subUseCases: [],
    description: 'Reminders and answers for patients who asked for them at the desk.',
    samples: [
      change.sample ?? 'Harbor Dental: your visit is tomorrow at 9. Reply STOP to stop.',
      'Harbor Dental: your bill is ready. Reply STOP to stop.',
    ],
    optIns: [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the desk.',
        url: 'https://harbor.test/texts',
        keywords: ['JOIN'],
        proofUrls: ['https://phones.example.test/proof.png'],
      },
    ],
    optInMessage: 'Welcome to Harbor Dental texts.',
    optOutMessage: 'You are out.',
    helpMessage: 'Call 212-555-0147.',
    hasLinks: false,
    hasPhoneNumbers: true,
    ageGated: false,
    affiliateMarketing: false,
    directLending: false,
    privacyUrl: 'https://harbor.test/privacy',
    termsUrl: '',
    monthlyVolume: 25_000,
    lowVolume: false,
  },
  numbers: [...numbers],
});

/** What every registry for business texting must do. */
export function testRegistrationConformance(open: () => Promise<RegistrationUnderTest>): void {
  const key = () => `r.1.${Math.floor(Math.random() * 1e9)}.x`;
  /** Polls like the job until the registration has this state. */
  const awaitState = async (
    t: RegistrationUnderTest,
    ref: string,
    state: RegistrationReport['state'],
    decide?: 'approve' | 'reject',
  ) => {
    let last: RegistrationReport | null = null;
    for (let i = 0; i < 8; i++) {
      if (decide) await t.decide(ref, decide);
      last = await t.registration.getStatus(ref);
      if (last?.state === state) return last;
    }
    return expect.fail(
      `Its state is ${last?.state ?? 'unknown'}, not ${state}: ${JSON.stringify(last?.objections)}`,
    );
  };

  it('documents submitted twice are one registration; an unknown reference has no status', async () => {
    const t = await open();
    const [documents, name, before] = [
      sampleRegistration(t.kind, [t.numbers[0]]),
      key(),
      await t.createdCount(),
    ];
    const first = await t.registration.submit(documents, name, 1);
    expect(await t.registration.submit(documents, name, 1)).toEqual(first);
    expect((await t.createdCount()) - before).toBe(1);
    expect((await t.registration.getStatus(first.ref))?.state).toBe('in_review');
    expect(await t.registration.getStatus(`nobody-${randomUUID()}`)).toBeNull();
    await t.registration.end(first.ref);
  });
  it('an approval lists the numbers and stays the same when fetched again', async () => {
    const t = await open();
    const { ref } = await t.registration.submit(sampleRegistration(t.kind, t.numbers), key(), 1);
    const status = await awaitState(t, ref, 'approved', 'approve');
    expect(status.numbers.map((n) => [n.number, n.state]).sort()).toEqual(
      t.numbers.map((n) => [n, 'approved']).sort(),
    );
    expect(await t.registration.getStatus(ref)).toEqual(status);
    await t.registration.end(ref);
  });
  it('a rejection says what is wrong and how to fix it; a corrected registration is reviewed again', async () => {
    const t = await open();
    const name = key();
    const { ref } = await t.registration.submit(
      sampleRegistration(t.kind, [t.numbers[0]], { sample: 'Come back soon!' }),
      name,
      1,
    );
    const refused = await awaitState(t, ref, 'rejected', 'reject');
    expect(refused.objections.length).toBeGreaterThan(0);
    for (const o of refused.objections)
      expect([o.text.length > 5, o.fix.length > 5]).toEqual([true, true]);
    const again = await t.registration.submit(sampleRegistration(t.kind, [t.numbers[0]]), name, 2);
    expect((await t.registration.getStatus(again.ref))?.state).toBe('in_review');
    await awaitState(t, again.ref, 'approved', 'approve');
    await t.registration.end(again.ref);
  });
  it('setNumbers replaces the list of numbers and is idempotent', async () => {
    const t = await open();
    const { ref } = await t.registration.submit(
      sampleRegistration(t.kind, [t.numbers[0]]),
      key(),
      1,
    );
    await awaitState(t, ref, 'approved', 'approve');
    for (let twice = 0; twice < 2; twice++) await t.registration.setNumbers(ref, t.numbers);
    const both = await awaitState(t, ref, 'approved', 'approve');
    expect(both.numbers.map((n) => n.number).sort()).toEqual([...t.numbers].sort());
    await t.registration.setNumbers(ref, [t.numbers[1]]);
    expect((await t.registration.getStatus(ref))?.numbers.map((n) => n.number)).toEqual([
      t.numbers[1],
    ]);
    await t.registration.end(ref);
  });
  it('ending a registration is idempotent', async () => {
    const t = await open();
    const { ref } = await t.registration.submit(
      sampleRegistration(t.kind, [t.numbers[0]]),
      key(),
      1,
    );
    await t.registration.end(ref);
    await t.registration.end(ref);
    expect((await t.registration.getStatus(ref))?.state).toBe('expired');
  });
  it('a registration submitted again after its end is a new one with its numbers', async () => {
    const t = await open();
    const [documents, name] = [sampleRegistration(t.kind, [t.numbers[0]]), key()];
    const first = await t.registration.submit(documents, name, 1);
    await awaitState(t, first.ref, 'approved', 'approve');
    await t.registration.end(first.ref);
    const again = await t.registration.submit(documents, name, 2);
    expect((await t.registration.getStatus(again.ref))?.state).toBe('in_review');
    expect((await awaitState(t, again.ref, 'approved', 'approve')).numbers).toEqual([
      { number: t.numbers[0], state: 'approved', reason: null },
    ]);
    await t.registration.end(again.ref);
  });
  it('an unreachable carrier throws, and the same documents are accepted once later', async () => {
    const t = await open();
    const [documents, name, before] = [
      sampleRegistration(t.kind, [t.numbers[0]]),
      key(),
      await t.createdCount(),
    ];
    await t.setUnreachable(true);
    await expect(t.registration.submit(documents, name, 1)).rejects.toThrow();
    await t.setUnreachable(false);
    const { ref } = await t.registration.submit(documents, name, 1);
    expect((await t.createdCount()) - before).toBe(1);
    await t.registration.end(ref);
  });
}
