/** 10DLC campaigns at Bandwidth, and the numbers that belong to them. */
import {
  stepId,
  storeStepId,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../shared/registration-workflow.ts';
import type { BandwidthClient } from './client.ts';
import {
  dashboardRequest,
  dashboardRequestOk,
  textOf,
  findElement,
  type Xml,
} from './dashboard.ts';
import { campaignXml } from './registration-fields.ts';

/** The Dashboard path of a 10DLC resource. */
export const registryPath = (resource: string) => `/campaignManagement/10dlc/${resource}`;
/** Advice for a rejection without any. */
export const defaultFix = 'Fix the reported problem, then submit again.';

/** A registration's status with its numbers not approved yet. */
export const progressOf = (
  { documents }: RegistrationRecord,
  state: RegistrationProgress['state'],
  changes: Partial<RegistrationProgress> = {},
): RegistrationProgress => ({
  state,
  brandScore: null,
  objections: [],
  numbers: documents.numbers.map((number) => ({ number, state: 'asked', reason: null })),
  ...changes,
});

/** The brand is verified: registers its campaign and, once that is approved, its numbers. */
export async function advanceCampaign(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
  brandId: string,
  brandScore: number | null,
): Promise<RegistrationProgress> {
  const { store } = client;
  const attempt = String(record.attempt);
  const document = campaignXml(record.documents, brandId);
  const campaignId = await runStep(store, key, record, 'campaign', async () => {
    const response = await dashboardRequestOk(client, 'POST', registryPath('campaigns'), document);
    return idFrom(response, 'Campaign', 'CampaignId');
  });
  if (!record.ids['campaignSent']) await storeStepId(store, key, record, 'campaignSent', attempt);
  const path = registryPath(`campaigns/${encodeURIComponent(campaignId)}`);
  const campaign = findElement((await dashboardRequestOk(client, 'GET', path)).xml, 'Campaign');
  const status = textOf(campaign, 'Status').toUpperCase();
  const sharing = textOf(campaign, 'SecondaryDcaSharingStatus').toUpperCase();
  if (sharing === 'DECLINED' || status === 'REJECTED') {
    if (record.ids['campaignSent'] === attempt)
      return progressOf(record, 'rejected', { brandScore, objections: [objectionOf(campaign)] });
    await dashboardRequestOk(client, 'PUT', path, document);
    await dashboardRequestOk(client, 'PUT', `${path}/revet`);
    await storeStepId(store, key, record, 'campaignSent', attempt);
    return progressOf(record, 'in_review', { brandScore });
  }
  if (status === 'EXPIRED' || status === 'DEACTIVATED')
    return progressOf(record, 'expired', { brandScore });
  if (status === 'SUSPENDED') return progressOf(record, 'suspended', { brandScore });
  if (status !== 'ACTIVE' || (sharing && sharing !== 'ACCEPTED'))
    return progressOf(record, 'in_review', { brandScore });
  await syncNumbers(client, key, record);
  return progressOf(record, 'approved', {
    brandScore,
    numbers: record.documents.numbers.map((number) => ({
      number,
      state: 'approved',
      reason: null,
    })),
  });
}

const objectionOf = (campaign: Xml | undefined) => ({
  code: 'campaign.declined',
  text: textOf(campaign, 'SecondaryDcaExplanation') || 'The carriers rejected the campaign.',
  fix: defaultFix,
});

/** The id in a response; throws when there is none. */
export function idFrom(
  { xml, status }: { xml: Xml; status: number },
  element: string,
  name: string,
): string {
  const id = textOf(findElement(xml, element), name);
  if (!id) throw new Error(`Bandwidth’s Dashboard answered ${status} without ${name}.`);
  return id;
}

/**
 * Assigns numbers to the campaign by an order that changes their texting options. The last order is
 * stored.
 */
export async function syncNumbers(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  const campaign = stepId(record, 'campaign');
  if (!campaign) return;
  const orderedBefore = new Set((record.ids['numbers'] ?? '').split(' ').filter(Boolean));
  const current = new Set(record.documents.numbers);
  const order = (numbers: string[], settings: Xml): Xml => ({
    TnOptionOrder: {
      CustomerOrderId: key,
      TnOptionGroups: {
        TnOptionGroup: {
          Sms: 'on',
          A2pSettings: settings,
          TelephoneNumbers: { TelephoneNumber: numbers.map((n) => n.slice(2)) },
        },
      },
    },
  });
  const [added, removed] = [
    [...current].filter((n) => !orderedBefore.has(n)),
    [...orderedBefore].filter((n) => !current.has(n)),
  ];
  if (added.length)
    await dashboardRequestOk(
      client,
      'POST',
      '/tnoptions',
      order(added, { Action: 'asSpecified', CampaignId: campaign }),
    );
  if (removed.length)
    await dashboardRequestOk(client, 'POST', '/tnoptions', order(removed, { Action: 'delete' }));
  if (added.length || removed.length)
    await storeStepId(client.store, key, record, 'numbers', [...current].join(' '));
}

/** Ends the campaign. Does nothing when there is none. */
export async function endCampaign(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  const campaign = stepId(record, 'campaign');
  if (!campaign) return;
  const { status } = await dashboardRequest(
    client,
    'DELETE',
    registryPath(`campaigns/${encodeURIComponent(campaign)}`),
  );
  if (status >= 400 && status !== 404)
    throw new Error(`Bandwidth’s Dashboard didn’t end the campaign (${status}).`);
  // A later registration creates a new campaign.
  for (const step of ['campaign', 'campaignSent', 'numbers'])
    await storeStepId(client.store, key, record, step, null);
}
