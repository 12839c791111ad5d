/**
 * Twilio's Trust Hub: the customer profile and the trust product (bundles) that a brand is
 * registered with.
 */
import { storeStepId, runStep, type RegistrationRecord } from '../shared/registration-workflow.ts';
import { webhookPath, type TwilioClient } from './client.ts';
import {
  businessFields,
  messagingFields,
  bundlePolicies,
  representativeFields,
} from './registration-fields.ts';

/** Runs one step of a registration (`runStep`) that creates something and returns its sid. */
type RunBundleStep = (
  name: string,
  create: () => Promise<{ sid: string }>,
  find?: () => Promise<string | undefined>,
) => Promise<string>;

/**
 * Creates both bundles with everything they consist of, and submits them for review. Each step
 * once.
 */
export async function submitBundles(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<{ profile: string; trust: string }> {
  const { store } = client;
  const run: RunBundleStep = (name, create, find) =>
    runStep(store, key, record, name, async () => (await create()).sid, find);
  const profile = await createProfile(client, key, record, run);
  const trust = await createTrustProduct(client, key, record, profile, run);
  const hub = client.api.client.trusthub.v1;
  await runStep(store, key, record, 'handedIn', async () => {
    const policySid = bundlePolicies.profile;
    await hub.customerProfiles(profile).customerProfilesEvaluations.create({ policySid });
    await hub.customerProfiles(profile).update({ status: 'pending-review' });
    const trustPolicySid = bundlePolicies.messaging;
    await hub.trustProducts(trust).trustProductsEvaluations.create({ policySid: trustPolicySid });
    await hub.trustProducts(trust).update({ status: 'pending-review' });
    return 'yes';
  });
  return { profile, trust };
}

/** Where Twilio sends notices about a bundle. */
const contactOf = (client: TwilioClient, key: string, { documents }: RegistrationRecord) => ({
  email: documents.brand.email,
  statusCallback: `${client.publicUrl}${webhookPath('registrations')}?${new URLSearchParams({ registration: key })}`,
});

/** The customer profile: the business, its representative and its address. */
async function createProfile(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  run: RunBundleStep,
): Promise<string> {
  const hub = client.api.client.trusthub.v1;
  const { brand } = record.documents;
  const profile = await run(
    'profile',
    () =>
      hub.customerProfiles.create({
        friendlyName: key,
        policySid: bundlePolicies.profile,
        ...contactOf(client, key, record),
      }),
    async () => (await hub.customerProfiles.list({ friendlyName: key, limit: 5 })).at(0)?.sid,
  );
  const business = await run('business', () =>
    hub.endUsers.create({
      friendlyName: key,
      type: 'customer_profile_business_information',
      attributes: businessFields(brand),
    }),
  );
  const representative = await run('representative', () =>
    hub.endUsers.create({
      friendlyName: key,
      type: 'authorized_representative_1',
      attributes: representativeFields(brand),
    }),
  );
  const document = await createAddressDocument(client, key, record, run);
  const own = client.settings.customerProfileSid;
  for (const part of [business, representative, document, ...(own ? [own] : [])])
    await run(`profile:${part}`, () =>
      hub.customerProfiles(profile).customerProfilesEntityAssignments.create({ objectSid: part }),
    );
  return profile;
}

async function createAddressDocument(
  client: TwilioClient,
  key: string,
  { documents }: RegistrationRecord,
  run: RunBundleStep,
): Promise<string> {
  const { legalName, address } = documents.brand;
  const addressSid = await run('address', () =>
    client.api.client.addresses.create({
      customerName: legalName,
      street: address.line1,
      ...(address.line2 ? { streetSecondary: address.line2 } : {}),
      city: address.city,
      region: address.state,
      postalCode: address.zip,
      isoCountry: address.country,
    }),
  );
  return run('document', () =>
    client.api.client.trusthub.v1.supportingDocuments.create({
      friendlyName: key,
      type: 'customer_profile_address',
      attributes: { address_sids: addressSid },
    }),
  );
}

/** The trust product: that the business of this profile may text. */
async function createTrustProduct(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  profile: string,
  run: RunBundleStep,
): Promise<string> {
  const hub = client.api.client.trusthub.v1;
  const trust = await run(
    'trust',
    () =>
      hub.trustProducts.create({
        friendlyName: key,
        policySid: bundlePolicies.messaging,
        ...contactOf(client, key, record),
      }),
    async () => (await hub.trustProducts.list({ friendlyName: key, limit: 5 })).at(0)?.sid,
  );
  const texting = await run('texting', () =>
    hub.endUsers.create({
      friendlyName: key,
      type: 'us_a2p_messaging_profile_information',
      attributes: messagingFields(record.documents.brand),
    }),
  );
  for (const part of [texting, profile])
    await run(`trust:${part}`, () =>
      hub.trustProducts(trust).trustProductsEntityAssignments.create({ objectSid: part }),
    );
  return trust;
}

/** Corrects rejected bundles and submits them again. */
export async function correctBundles(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  profile: string,
  trust: string,
): Promise<void> {
  const { store } = client;
  const hub = client.api.client.trusthub.v1;
  const { brand: b } = record.documents;
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
