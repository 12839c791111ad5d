import { whatBecame } from './api.ts';
import { pathOf, type Desk } from './desk.ts';
import { idOf, keepId, step, type Kept, type Outcome } from '../registration-steps.ts';
import { sidOfNumber } from './numbers.ts';
import {
  businessOf,
  campaignOf,
  messagingOf,
  objectionsOf,
  onceOf,
  policies,
  representativeOf,
} from './registration-words.ts';

/** A business's texting: who it is, that it may text, its brand, and the campaign on a messaging service with its numbers. */
export async function bringBrand(desk: Desk, key: string, now: Kept): Promise<Outcome> {
  const {
    book,
    api: { client },
  } = desk;
  const waiting = (more: Partial<Outcome> = {}): Outcome => ({
    state: 'in_review',
    brandScore: null,
    objections: [],
    numbers: now.papers.numbers.map((number) => ({ number, state: 'asked', reason: null })),
    ...more,
  });
  const { profile, trust } = await bundles(desk, key, now);
  const mended = now.ids['mended'] === String(now.attempt);
  for (const bundle of [
    await client.trusthub.v1.customerProfiles(profile).fetch(),
    await client.trusthub.v1.trustProducts(trust).fetch(),
  ]) {
    if (bundle.status !== 'twilio-rejected') continue;
    if (now.attempt === 1 || mended)
      return waiting({
        state: 'action_required',
        objections: objectionsOf(
          bundle.errors,
          'Twilio did not accept the facts about the business.',
        ),
      });
    await mendBundles(desk, key, now, profile, trust);
    break;
  }
  const brands = client.messaging.v1.brandRegistrations;
  const brand = await brands(
    await step(
      book,
      key,
      now,
      'brand',
      async () =>
        (
          await brands.create({
            customerProfileBundleSid: profile,
            a2PProfileBundleSid: trust,
            brandType: 'STANDARD',
            skipAutomaticSecVet: now.papers.campaign.lowVolume,
          })
        ).sid,
      async () =>
        (await brands.list({ limit: 200 })).find((b) => b.customerProfileBundleSid === profile)
          ?.sid,
    ),
  ).fetch();
  const score = brand.brandScore || null;
  if (brand.status === 'SUSPENDED')
    return waiting({
      state: 'suspended',
      brandScore: score,
      objections: objectionsOf(brand.errors, brand.failureReason || null),
    });
  if (brand.status === 'FAILED') {
    if (now.ids['brandSent'] === String(now.attempt) || now.attempt === 1)
      return waiting({
        state: 'rejected',
        brandScore: score,
        objections: objectionsOf(
          brand.errors,
          brand.failureReason || 'The registry does not know the business as it was described.',
        ),
      });
    if (!mended) await mendBundles(desk, key, now, profile, trust);
    await brands(brand.sid).update();
    await keepId(book, key, now, 'brandSent', String(now.attempt));
    return waiting();
  }
  if (brand.status !== 'APPROVED') return waiting({ brandScore: score });
  return { ...(await campaign(desk, key, now, brand.sid)), brandScore: score };
}

/** The two bundles, filled and handed in. */
async function bundles(
  desk: Desk,
  key: string,
  now: Kept,
): Promise<{ profile: string; trust: string }> {
  const {
    book,
    api: { client },
  } = desk;
  const hub = client.trusthub.v1;
  const { brand: b } = now.papers;
  const about = {
    email: b.email,
    statusCallback: `${desk.publicUrl}${pathOf('registrations')}?${new URLSearchParams({ registration: key })}`,
  };
  const profile = await step(
    book,
    key,
    now,
    'profile',
    async () =>
      (
        await hub.customerProfiles.create({
          friendlyName: key,
          policySid: policies.profile,
          ...about,
        })
      ).sid,
    async () => (await hub.customerProfiles.list({ friendlyName: key, limit: 5 })).at(0)?.sid,
  );
  const business = await step(
    book,
    key,
    now,
    'business',
    async () =>
      (
        await hub.endUsers.create({
          friendlyName: key,
          type: 'customer_profile_business_information',
          attributes: businessOf(b),
        })
      ).sid,
  );
  const person = await step(
    book,
    key,
    now,
    'representative',
    async () =>
      (
        await hub.endUsers.create({
          friendlyName: key,
          type: 'authorized_representative_1',
          attributes: representativeOf(b),
        })
      ).sid,
  );
  const address = await step(
    book,
    key,
    now,
    'address',
    async () =>
      (
        await client.addresses.create({
          customerName: b.legalName,
          street: b.address.line1,
          ...(b.address.line2 ? { streetSecondary: b.address.line2 } : {}),
          city: b.address.city,
          region: b.address.state,
          postalCode: b.address.zip,
          isoCountry: b.address.country,
        })
      ).sid,
  );
  const document = await step(
    book,
    key,
    now,
    'document',
    async () =>
      (
        await hub.supportingDocuments.create({
          friendlyName: key,
          type: 'customer_profile_address',
          attributes: { address_sids: address },
        })
      ).sid,
  );
  const own = desk.settings.customerProfileSid;
  for (const part of [business, person, document, ...(own ? [own] : [])])
    await step(
      book,
      key,
      now,
      `profile:${part}`,
      async () =>
        (
          await hub
            .customerProfiles(profile)
            .customerProfilesEntityAssignments.create({ objectSid: part })
        ).sid,
    );
  const trust = await step(
    book,
    key,
    now,
    'trust',
    async () =>
      (
        await hub.trustProducts.create({
          friendlyName: key,
          policySid: policies.messaging,
          ...about,
        })
      ).sid,
    async () => (await hub.trustProducts.list({ friendlyName: key, limit: 5 })).at(0)?.sid,
  );
  const texting = await step(
    book,
    key,
    now,
    'texting',
    async () =>
      (
        await hub.endUsers.create({
          friendlyName: key,
          type: 'us_a2p_messaging_profile_information',
          attributes: messagingOf(b),
        })
      ).sid,
  );
  for (const part of [texting, profile])
    await step(
      book,
      key,
      now,
      `trust:${part}`,
      async () =>
        (await hub.trustProducts(trust).trustProductsEntityAssignments.create({ objectSid: part }))
          .sid,
    );
  await step(book, key, now, 'handedIn', async () => {
    await hub
      .customerProfiles(profile)
      .customerProfilesEvaluations.create({ policySid: policies.profile });
    await hub.customerProfiles(profile).update({ status: 'pending-review' });
    await hub
      .trustProducts(trust)
      .trustProductsEvaluations.create({ policySid: policies.messaging });
    await hub.trustProducts(trust).update({ status: 'pending-review' });
    return 'yes';
  });
  return { profile, trust };
}

/** What came back is corrected where it stands and handed in anew. */
async function mendBundles(
  desk: Desk,
  key: string,
  now: Kept,
  profile: string,
  trust: string,
): Promise<void> {
  const { book } = desk;
  const hub = desk.api.client.trusthub.v1;
  const { brand: b } = now.papers;
  for (const [name, attributes] of [
    ['business', businessOf(b)],
    ['representative', representativeOf(b)],
    ['texting', messagingOf(b)],
  ] as const)
    if (now.ids[name]) await hub.endUsers(now.ids[name]).update({ attributes });
  if (now.ids['address'])
    await desk.api.client.addresses(now.ids['address']).update({
      customerName: b.legalName,
      street: b.address.line1,
      streetSecondary: b.address.line2,
      city: b.address.city,
      region: b.address.state,
      postalCode: b.address.zip,
    });
  await hub.customerProfiles(profile).update({ status: 'pending-review', email: b.email });
  await hub.trustProducts(trust).update({ status: 'pending-review', email: b.email });
  await keepId(book, key, now, 'mended', String(now.attempt));
}

async function campaign(
  desk: Desk,
  key: string,
  now: Kept,
  brandSid: string,
): Promise<Omit<Outcome, 'brandScore'>> {
  const {
    book,
    api: { client },
  } = desk;
  const service = await step(
    book,
    key,
    now,
    'service',
    async () =>
      (
        await client.messaging.v1.services.create({
          friendlyName: key.slice(0, 64),
          useInboundWebhookOnNumber: true,
          usecase: 'undeclared',
        })
      ).sid,
    async () =>
      (await client.messaging.v1.services.list({ limit: 400 })).find(
        (s) => s.friendlyName === key.slice(0, 64),
      )?.sid,
  );
  const campaigns = client.messaging.v1.services(service).usAppToPerson;
  const sid = await step(
    book,
    key,
    now,
    'campaign',
    async () =>
      (
        await campaigns.create({
          brandRegistrationSid: brandSid,
          ...campaignOf(now.papers),
          ...onceOf(now.papers),
        })
      ).sid,
    async () => (await campaigns.list({ limit: 5 })).at(0)?.sid,
  );
  if (!now.ids['campaignSent']) await keepId(book, key, now, 'campaignSent', String(now.attempt));
  const numbers = await numbersOfBrand(desk, now);
  const found = await campaigns(sid).fetch();
  const standing = (state: 'asked' | 'approved') =>
    now.papers.numbers.map((number) =>
      numbers.has(number)
        ? { number, state, reason: null }
        : { number, state: 'rejected' as const, reason: 'It is not in the account at Twilio.' },
    );
  if (found.campaignStatus === 'VERIFIED')
    return { state: 'approved', objections: [], numbers: standing('approved') };
  if (found.campaignStatus === 'SUSPENDED')
    return {
      state: 'suspended',
      objections: objectionsOf(found.errors, null),
      numbers: standing('asked'),
    };
  if (found.campaignStatus !== 'FAILED')
    return { state: 'in_review', objections: [], numbers: standing('asked') };
  if (now.ids['campaignSent'] === String(now.attempt))
    return {
      state: 'rejected',
      objections: objectionsOf(found.errors, 'The carriers did not accept the campaign.'),
      numbers: standing('asked'),
    };
  await campaigns(sid).update(campaignOf(now.papers));
  await keepId(book, key, now, 'campaignSent', String(now.attempt));
  return { state: 'in_review', objections: [], numbers: standing('asked') };
}

/** The service's numbers from now on: those that are missing join it, those that left leave it. Answers which ones are in it. */
export async function numbersOfBrand(desk: Desk, now: Kept): Promise<ReadonlySet<string>> {
  const service = idOf(now, 'service');
  if (!service) return new Set();
  const members = desk.api.client.messaging.v1.services(service).phoneNumbers;
  const there = new Map((await members.list({ limit: 400 })).map((n) => [n.phoneNumber, n.sid]));
  for (const number of now.papers.numbers) {
    const sid = there.has(number) ? undefined : await sidOfNumber(desk, number);
    if (sid) {
      await join(desk, members, sid);
      there.set(number, sid);
    }
  }
  for (const [number, sid] of there)
    if (!now.papers.numbers.includes(number)) {
      await gone(members(sid).remove());
      there.delete(number);
    }
  return new Set(there.keys());
}

/** A number sits in one messaging service: it leaves the shared one of the settings first. */
async function join(
  desk: Desk,
  members: { create(of: { phoneNumberSid: string }): Promise<unknown> },
  phoneNumberSid: string,
): Promise<void> {
  const shared = desk.settings.messagingServiceSid;
  if (shared)
    await gone(desk.api.client.messaging.v1.services(shared).phoneNumbers(phoneNumberSid).remove());
  await members.create({ phoneNumberSid });
}

/** The campaign and its service go; the brand stays the business's own and costs nothing more. */
export async function endBrand(desk: Desk, key: string, now: Kept): Promise<void> {
  const [service, sid] = [idOf(now, 'service'), idOf(now, 'campaign')];
  if (!service) return;
  const at = desk.api.client.messaging.v1.services(service);
  if (sid) await gone(at.usAppToPerson(sid).remove());
  await gone(at.remove());
  // Registered again, it gets a service and a campaign of its own.
  for (const made of ['service', 'campaign', 'campaignSent'])
    await keepId(desk.book, key, now, made, null);
}

/** What is not there is gone. */
export const gone = (removing: Promise<unknown>): Promise<unknown> =>
  removing.catch((error: unknown) => {
    const became = whatBecame(error);
    if (became.is !== 'refused' || became.status !== 404) throw error;
  });
