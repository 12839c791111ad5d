import { classifyError } from './api.ts';
import { webhookPath, type TwilioClient } from './client.ts';
import {
  stepId,
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../registration-workflow.ts';
import { sidOfNumber } from './numbers.ts';
import {
  businessFields,
  campaignFields,
  messagingFields,
  parseObjections,
  fixedCampaignFields,
  bundlePolicies,
  representativeFields,
} from './registration-fields.ts';

/** A business's texting: who it is, that it may text, its brand, and the campaign on a messaging service with its numbers. */
export async function advanceBrand(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const {
    store,
    api: { client: sdkClient },
  } = client;
  const waiting = (more: Partial<RegistrationProgress> = {}): RegistrationProgress => ({
    state: 'in_review',
    brandScore: null,
    objections: [],
    numbers: record.papers.numbers.map((number) => ({ number, state: 'asked', reason: null })),
    ...more,
  });
  const { profile, trust } = await submitBundles(client, key, record);
  const mended = record.ids['mended'] === String(record.attempt);
  for (const bundle of [
    await sdkClient.trusthub.v1.customerProfiles(profile).fetch(),
    await sdkClient.trusthub.v1.trustProducts(trust).fetch(),
  ]) {
    if (bundle.status !== 'twilio-rejected') continue;
    if (record.attempt === 1 || mended)
      return waiting({
        state: 'action_required',
        objections: parseObjections(bundle.errors, 'Twilio rejected the business details.'),
      });
    await correctBundles(client, key, record, profile, trust);
    break;
  }
  const brands = sdkClient.messaging.v1.brandRegistrations;
  const brand = await brands(
    await runStep(
      store,
      key,
      record,
      'brand',
      async () =>
        (
          await brands.create({
            customerProfileBundleSid: profile,
            a2PProfileBundleSid: trust,
            brandType: 'STANDARD',
            skipAutomaticSecVet: record.papers.campaign.lowVolume,
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
      objections: parseObjections(brand.errors, brand.failureReason || null),
    });
  if (brand.status === 'FAILED') {
    if (record.ids['brandSent'] === String(record.attempt) || record.attempt === 1)
      return waiting({
        state: 'rejected',
        brandScore: score,
        objections: parseObjections(
          brand.errors,
          brand.failureReason || 'The registry doesn’t recognize the business as described.',
        ),
      });
    if (!mended) await correctBundles(client, key, record, profile, trust);
    await brands(brand.sid).update();
    await storeStepId(store, key, record, 'brandSent', String(record.attempt));
    return waiting();
  }
  if (brand.status !== 'APPROVED') return waiting({ brandScore: score });
  return { ...(await advanceCampaign(client, key, record, brand.sid)), brandScore: score };
}

/** The two bundles, filled and handed in. */
async function submitBundles(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<{ profile: string; trust: string }> {
  const {
    store,
    api: { client: sdkClient },
  } = client;
  const hub = sdkClient.trusthub.v1;
  const { brand: b } = record.papers;
  const about = {
    email: b.email,
    statusCallback: `${client.publicUrl}${webhookPath('registrations')}?${new URLSearchParams({ registration: key })}`,
  };
  const profile = await runStep(
    store,
    key,
    record,
    'profile',
    async () =>
      (
        await hub.customerProfiles.create({
          friendlyName: key,
          policySid: bundlePolicies.profile,
          ...about,
        })
      ).sid,
    async () => (await hub.customerProfiles.list({ friendlyName: key, limit: 5 })).at(0)?.sid,
  );
  const business = await runStep(
    store,
    key,
    record,
    'business',
    async () =>
      (
        await hub.endUsers.create({
          friendlyName: key,
          type: 'customer_profile_business_information',
          attributes: businessFields(b),
        })
      ).sid,
  );
  const person = await runStep(
    store,
    key,
    record,
    'representative',
    async () =>
      (
        await hub.endUsers.create({
          friendlyName: key,
          type: 'authorized_representative_1',
          attributes: representativeFields(b),
        })
      ).sid,
  );
  const address = await runStep(
    store,
    key,
    record,
    'address',
    async () =>
      (
        await sdkClient.addresses.create({
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
  const document = await runStep(
    store,
    key,
    record,
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
  const own = client.settings.customerProfileSid;
  for (const part of [business, person, document, ...(own ? [own] : [])])
    await runStep(
      store,
      key,
      record,
      `profile:${part}`,
      async () =>
        (
          await hub
            .customerProfiles(profile)
            .customerProfilesEntityAssignments.create({ objectSid: part })
        ).sid,
    );
  const trust = await runStep(
    store,
    key,
    record,
    'trust',
    async () =>
      (
        await hub.trustProducts.create({
          friendlyName: key,
          policySid: bundlePolicies.messaging,
          ...about,
        })
      ).sid,
    async () => (await hub.trustProducts.list({ friendlyName: key, limit: 5 })).at(0)?.sid,
  );
  const texting = await runStep(
    store,
    key,
    record,
    'texting',
    async () =>
      (
        await hub.endUsers.create({
          friendlyName: key,
          type: 'us_a2p_messaging_profile_information',
          attributes: messagingFields(b),
        })
      ).sid,
  );
  for (const part of [texting, profile])
    await runStep(
      store,
      key,
      record,
      `trust:${part}`,
      async () =>
        (await hub.trustProducts(trust).trustProductsEntityAssignments.create({ objectSid: part }))
          .sid,
    );
  await runStep(store, key, record, 'handedIn', async () => {
    await hub
      .customerProfiles(profile)
      .customerProfilesEvaluations.create({ policySid: bundlePolicies.profile });
    await hub.customerProfiles(profile).update({ status: 'pending-review' });
    await hub
      .trustProducts(trust)
      .trustProductsEvaluations.create({ policySid: bundlePolicies.messaging });
    await hub.trustProducts(trust).update({ status: 'pending-review' });
    return 'yes';
  });
  return { profile, trust };
}

/** What came back is corrected where it stands and handed in anew. */
async function correctBundles(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  profile: string,
  trust: string,
): Promise<void> {
  const { store } = client;
  const hub = client.api.client.trusthub.v1;
  const { brand: b } = record.papers;
  for (const [name, attributes] of [
    ['business', businessFields(b)],
    ['representative', representativeFields(b)],
    ['texting', messagingFields(b)],
  ] as const)
    if (record.ids[name]) await hub.endUsers(record.ids[name]).update({ attributes });
  if (record.ids['address'])
    await client.api.client.addresses(record.ids['address']).update({
      customerName: b.legalName,
      street: b.address.line1,
      streetSecondary: b.address.line2,
      city: b.address.city,
      region: b.address.state,
      postalCode: b.address.zip,
    });
  await hub.customerProfiles(profile).update({ status: 'pending-review', email: b.email });
  await hub.trustProducts(trust).update({ status: 'pending-review', email: b.email });
  await storeStepId(store, key, record, 'mended', String(record.attempt));
}

async function advanceCampaign(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  brandSid: string,
): Promise<Omit<RegistrationProgress, 'brandScore'>> {
  const {
    store,
    api: { client: sdkClient },
  } = client;
  const service = await runStep(
    store,
    key,
    record,
    'service',
    async () =>
      (
        await sdkClient.messaging.v1.services.create({
          friendlyName: key.slice(0, 64),
          useInboundWebhookOnNumber: true,
          usecase: 'undeclared',
        })
      ).sid,
    async () =>
      (await sdkClient.messaging.v1.services.list({ limit: 400 })).find(
        (s) => s.friendlyName === key.slice(0, 64),
      )?.sid,
  );
  const campaigns = sdkClient.messaging.v1.services(service).usAppToPerson;
  const sid = await runStep(
    store,
    key,
    record,
    'campaign',
    async () =>
      (
        await campaigns.create({
          brandRegistrationSid: brandSid,
          ...campaignFields(record.papers),
          ...fixedCampaignFields(record.papers),
        })
      ).sid,
    async () => (await campaigns.list({ limit: 5 })).at(0)?.sid,
  );
  if (!record.ids['campaignSent'])
    await storeStepId(store, key, record, 'campaignSent', String(record.attempt));
  const numbers = await syncServiceNumbers(client, record);
  const found = await campaigns(sid).fetch();
  const standing = (state: 'asked' | 'approved') =>
    record.papers.numbers.map((number) =>
      numbers.has(number)
        ? { number, state, reason: null }
        : { number, state: 'rejected' as const, reason: 'It isn’t in the Twilio account.' },
    );
  if (found.campaignStatus === 'VERIFIED')
    return { state: 'approved', objections: [], numbers: standing('approved') };
  if (found.campaignStatus === 'SUSPENDED')
    return {
      state: 'suspended',
      objections: parseObjections(found.errors, null),
      numbers: standing('asked'),
    };
  if (found.campaignStatus !== 'FAILED')
    return { state: 'in_review', objections: [], numbers: standing('asked') };
  if (record.ids['campaignSent'] === String(record.attempt))
    return {
      state: 'rejected',
      objections: parseObjections(found.errors, 'The carriers rejected the campaign.'),
      numbers: standing('asked'),
    };
  await campaigns(sid).update(campaignFields(record.papers));
  await storeStepId(store, key, record, 'campaignSent', String(record.attempt));
  return { state: 'in_review', objections: [], numbers: standing('asked') };
}

/** The service's numbers from now on: those that are missing join it, those that left leave it. Answers which ones are in it. */
export async function syncServiceNumbers(
  client: TwilioClient,
  record: RegistrationRecord,
): Promise<ReadonlySet<string>> {
  const service = stepId(record, 'service');
  if (!service) return new Set();
  const members = client.api.client.messaging.v1.services(service).phoneNumbers;
  const there = new Map((await members.list({ limit: 400 })).map((n) => [n.phoneNumber, n.sid]));
  for (const number of record.papers.numbers) {
    const sid = there.has(number) ? undefined : await sidOfNumber(client, number);
    if (sid) {
      await joinService(client, members, sid);
      there.set(number, sid);
    }
  }
  for (const [number, sid] of there)
    if (!record.papers.numbers.includes(number)) {
      await ignoreMissing(members(sid).remove());
      there.delete(number);
    }
  return new Set(there.keys());
}

/** A number sits in one messaging service: it leaves the shared one of the settings first. */
async function joinService(
  client: TwilioClient,
  members: { create(of: { phoneNumberSid: string }): Promise<unknown> },
  phoneNumberSid: string,
): Promise<void> {
  const shared = client.settings.messagingServiceSid;
  if (shared)
    await ignoreMissing(
      client.api.client.messaging.v1.services(shared).phoneNumbers(phoneNumberSid).remove(),
    );
  await members.create({ phoneNumberSid });
}

/** The campaign and its service go; the brand stays the business's own and costs nothing more. */
export async function endBrand(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  const [service, sid] = [stepId(record, 'service'), stepId(record, 'campaign')];
  if (!service) return;
  const at = client.api.client.messaging.v1.services(service);
  if (sid) await ignoreMissing(at.usAppToPerson(sid).remove());
  await ignoreMissing(at.remove());
  // Registered again, it gets a service and a campaign of its own.
  for (const made of ['service', 'campaign', 'campaignSent'])
    await storeStepId(client.store, key, record, made, null);
}

/** What is not there is gone. */
export const ignoreMissing = (removing: Promise<unknown>): Promise<unknown> =>
  removing.catch((error: unknown) => {
    const failure = classifyError(error);
    if (failure.is !== 'refused' || failure.status !== 404) throw error;
  });
