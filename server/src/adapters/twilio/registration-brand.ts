/** 10DLC brands at Twilio. */
import {
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../shared/registration-workflow.ts';
import type { TwilioClient } from './client.ts';
import { correctBundles, submitBundles } from './registration-bundles.ts';
import { advanceCampaign } from './registration-campaign.ts';
import { parseObjections } from './registration-fields.ts';

/** Registers the business (two bundles), its brand, and then its campaign. */
export async function advanceBrand(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const { profile, trust } = await submitBundles(client, key, record);
  const wasCorrected = isCorrected(record);
  const objections = await checkBundles(client, key, record, profile, trust);
  if (objections) return progressOf(record, { state: 'action_required', objections });
  const brands = client.api.client.messaging.v1.brandRegistrations;
  const brand = await brands(await createBrand(client, key, record, profile, trust)).fetch();
  const brandScore = brand.brandScore || null;
  if (brand.status === 'APPROVED')
    return { ...(await advanceCampaign(client, key, record, brand.sid)), brandScore };
  if (brand.status === 'SUSPENDED') {
    const reasons = parseObjections(brand.errors, brand.failureReason || null);
    return progressOf(record, { state: 'suspended', brandScore, objections: reasons });
  }
  if (brand.status !== 'FAILED') return progressOf(record, { brandScore });
  const attempt = String(record.attempt);
  if (record.ids['brandSent'] === attempt || record.attempt === 1) {
    const reason =
      brand.failureReason || 'The registry doesn’t recognize the business as described.';
    const reasons = parseObjections(brand.errors, reason);
    return progressOf(record, { state: 'rejected', brandScore, objections: reasons });
  }
  if (!wasCorrected) await correctBundles(client, key, record, profile, trust);
  await brands(brand.sid).update();
  await storeStepId(client.store, key, record, 'brandSent', attempt);
  return progressOf(record);
}

const progressOf = (
  { documents }: RegistrationRecord,
  changes: Partial<RegistrationProgress> = {},
): RegistrationProgress => ({
  state: 'in_review',
  brandScore: null,
  objections: [],
  numbers: documents.numbers.map((number) => ({ number, state: 'asked', reason: null })),
  ...changes,
});

/** Whether the bundles were corrected in this attempt. */
const isCorrected = (record: RegistrationRecord): boolean =>
  record.ids['mended'] === String(record.attempt);

/**
 * The objections to a rejected bundle that the company has to correct; null when it may continue.
 */
async function checkBundles(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  profile: string,
  trust: string,
): Promise<RegistrationProgress['objections'] | null> {
  const hub = client.api.client.trusthub.v1;
  const wasCorrected = isCorrected(record);
  for (const bundle of [
    await hub.customerProfiles(profile).fetch(),
    await hub.trustProducts(trust).fetch(),
  ]) {
    if (bundle.status !== 'twilio-rejected') continue;
    if (record.attempt === 1 || wasCorrected)
      return parseObjections(bundle.errors, 'Twilio rejected the business details.');
    await correctBundles(client, key, record, profile, trust);
    return null;
  }
  return null;
}

function createBrand(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  profile: string,
  trust: string,
): Promise<string> {
  const brands = client.api.client.messaging.v1.brandRegistrations;
  const create = async () => {
    const brand = await brands.create({
      customerProfileBundleSid: profile,
      a2PProfileBundleSid: trust,
      brandType: 'STANDARD',
      skipAutomaticSecVet: record.documents.campaign.lowVolume,
    });
    return brand.sid;
  };
  const find = async () => {
    const all = await brands.list({ limit: 200 });
    return all.find((brand) => brand.customerProfileBundleSid === profile)?.sid;
  };
  return runStep(client.store, key, record, 'brand', create, find);
}
