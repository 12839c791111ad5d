/** 10DLC campaigns at Twilio: a messaging service, its campaign and its numbers. */
import {
  stepId,
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../shared/registration-workflow.ts';
import { classifyError } from './api.ts';
import type { TwilioClient } from './client.ts';
import { sidOfNumber } from './numbers.ts';
import { campaignFields, parseObjections, fixedCampaignFields } from './registration-fields.ts';

type CampaignProgress = Omit<RegistrationProgress, 'brandScore'>;

/** The brand is approved: registers its campaign and assigns its numbers. */
export async function advanceCampaign(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
  brandSid: string,
): Promise<CampaignProgress> {
  const { store } = client;
  const service = await createService(client, key, record);
  const campaigns = client.api.client.messaging.v1.services(service).usAppToPerson;
  const create = async () => {
    const facts = { ...campaignFields(record.documents), ...fixedCampaignFields(record.documents) };
    return (await campaigns.create({ brandRegistrationSid: brandSid, ...facts })).sid;
  };
  const find = async () => (await campaigns.list({ limit: 5 })).at(0)?.sid;
  const sid = await runStep(store, key, record, 'campaign', create, find);
  const attempt = String(record.attempt);
  if (!record.ids['campaignSent']) await storeStepId(store, key, record, 'campaignSent', attempt);
  const members = await syncServiceNumbers(client, record);
  const found = await campaigns(sid).fetch();
  const asked = numbersOf(record, members, 'asked');
  switch (found.campaignStatus) {
    case 'VERIFIED':
      return {
        state: 'approved',
        objections: [],
        numbers: numbersOf(record, members, 'approved'),
      };
    case 'SUSPENDED':
      return {
        state: 'suspended',
        objections: parseObjections(found.errors, null),
        numbers: asked,
      };
    case 'FAILED':
      break;
    default:
      return { state: 'in_review', objections: [], numbers: asked };
  }
  if (record.ids['campaignSent'] === attempt) {
    const reason = 'The carriers rejected the campaign.';
    return { state: 'rejected', objections: parseObjections(found.errors, reason), numbers: asked };
  }
  await campaigns(sid).update(campaignFields(record.documents));
  await storeStepId(store, key, record, 'campaignSent', attempt);
  return { state: 'in_review', objections: [], numbers: asked };
}

/** Numbers that are not in the service are not in the account. */
const numbersOf = (
  record: RegistrationRecord,
  members: ReadonlySet<string>,
  state: 'asked' | 'approved',
): CampaignProgress['numbers'] =>
  record.documents.numbers.map((number) =>
    members.has(number)
      ? { number, state, reason: null }
      : { number, state: 'rejected', reason: 'It isn’t in the Twilio account.' },
  );

/** The messaging service of the campaign. */
function createService(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<string> {
  const { services } = client.api.client.messaging.v1;
  const friendlyName = key.slice(0, 64);
  const create = async () => {
    const options = { friendlyName, useInboundWebhookOnNumber: true, usecase: 'undeclared' };
    return (await services.create(options)).sid;
  };
  const find = async () => {
    const all = await services.list({ limit: 400 });
    return all.find((service) => service.friendlyName === friendlyName)?.sid;
  };
  return runStep(client.store, key, record, 'service', create, find);
}

/**
 * Adds and removes numbers so that the service has the registration's. Returns those that are in
 * it.
 */
export async function syncServiceNumbers(
  client: TwilioClient,
  record: RegistrationRecord,
): Promise<ReadonlySet<string>> {
  const service = stepId(record, 'service');
  if (!service) return new Set();
  const members = client.api.client.messaging.v1.services(service).phoneNumbers;
  const current = new Map((await members.list({ limit: 400 })).map((n) => [n.phoneNumber, n.sid]));
  for (const number of record.documents.numbers) {
    const sid = current.has(number) ? undefined : await sidOfNumber(client, number);
    if (sid) {
      await joinService(client, members, sid);
      current.set(number, sid);
    }
  }
  for (const [number, sid] of current)
    if (!record.documents.numbers.includes(number)) {
      await ignoreMissing(members(sid).remove());
      current.delete(number);
    }
  return new Set(current.keys());
}

/**
 * A number can be in one messaging service only, so it leaves the shared one of the settings first.
 */
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

/** Deletes the campaign and its service. The brand stays: it has no further cost. */
export async function endBrand(
  client: TwilioClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  const [service, sid] = [stepId(record, 'service'), stepId(record, 'campaign')];
  if (!service) return;
  const messagingService = client.api.client.messaging.v1.services(service);
  if (sid) await ignoreMissing(messagingService.usAppToPerson(sid).remove());
  await ignoreMissing(messagingService.remove());
  // A later registration creates new ones.
  for (const step of ['service', 'campaign', 'campaignSent'])
    await storeStepId(client.store, key, record, step, null);
}

/** Ignores a 404 when something is deleted. */
export const ignoreMissing = (removing: Promise<unknown>): Promise<unknown> =>
  removing.catch((error: unknown) => {
    const failure = classifyError(error);
    if (failure.is !== 'refused' || failure.status !== 404) throw error;
  });
