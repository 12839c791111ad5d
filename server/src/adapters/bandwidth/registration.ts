import { registryBrandFeeCents, type RegistrationCarrier } from '../../gateways/registration.ts';
import {
  stepId,
  storeStepId,
  registrationWorkflow,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../registration-workflow.ts';
import {
  dashboardRequest,
  asList,
  dashboardRequestOk,
  DashboardError,
  textOf,
  findElement,
  type Xml,
} from './dashboard.ts';
import type { BandwidthClient } from './client.ts';
import { brandXml, campaignXml } from './registration-fields.ts';
import { advanceTollFree, endTollFree } from './registration-toll-free.ts';

const registryPath = (resource: string) => `/campaignManagement/10dlc/${resource}`;
const defaultFix = 'Fix the reported problem, then submit again.';

/**
 * Registered texting at Bandwidth: brands and campaigns through the Dashboard's XML, toll-free numbers through the verification
 * API. No document of the Dashboard is published in a package; field names follow its public pages, and nothing was tried against
 * a live account: unverified.
 */
export const bandwidthRegistration = (client: BandwidthClient): RegistrationCarrier =>
  registrationWorkflow('bandwidth', client.store, {
    advance: (key, record) =>
      record.papers.kind === 'toll_free'
        ? advanceTollFree(client, key, record)
        : advanceBrand(client, key, record),
    syncNumbers: (key, record) =>
      record.papers.kind === 'toll_free'
        ? advanceTollFree(client, key, record)
        : syncNumbers(client, key, record),
    end: (key, record) =>
      record.papers.kind === 'toll_free'
        ? endTollFree(client, key, record)
        : endCampaign(client, key, record),
    brandCents: () => registryBrandFeeCents,
    objectionsIn: (error) =>
      error instanceof DashboardError && error.status !== 401 && error.status !== 403
        ? [{ code: error.code, text: error.message, fix: defaultFix }]
        : null,
  });

async function advanceBrand(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<RegistrationProgress> {
  const { store } = client;
  const attempt = String(record.attempt);
  const stands = (
    state: RegistrationProgress['state'],
    more: Partial<RegistrationProgress> = {},
  ): RegistrationProgress => ({
    state,
    brandScore: null,
    objections: [],
    numbers: record.papers.numbers.map((number) => ({ number, state: 'asked', reason: null })),
    ...more,
  });
  /** The business's brand without a registration of ours: the one whose answer was lost. */
  const lost = async () => {
    const same = asList(
      findElement(
        (await dashboardRequest(client, 'GET', registryPath('brands/details?type=none'))).xml,
        'Brands',
      )?.['Brand'],
    ).filter(
      (b) =>
        textOf(b, 'Ein') === record.papers.brand.ein &&
        textOf(b, 'CompanyName') === record.papers.brand.legalName.slice(0, 100),
    );
    for (const id of same.map((b) => textOf(b, 'BrandId')).filter(Boolean))
      if (!(await store.keysMentioning('registration', id)).length) return id;
    return undefined;
  };
  const brandId = await runStep(
    store,
    key,
    record,
    'brand',
    async () =>
      idFrom(
        await dashboardRequestOk(client, 'POST', registryPath('brands'), brandXml(record.papers)),
        'Brand',
        'BrandId',
      ),
    lost,
  );
  if (!record.ids['brandSent']) await storeStepId(store, key, record, 'brandSent', attempt);
  const brand = findElement(
    (await dashboardRequestOk(client, 'GET', registryPath(`brands/${encodeURIComponent(brandId)}`)))
      .xml,
    'Brand',
  );
  const score = Number(textOf(brand, 'VettingScore')) || null;
  const identity = textOf(brand, 'IdentityStatus');
  if (identity === 'UNVERIFIED') {
    if (record.ids['brandSent'] === attempt)
      return stands('rejected', {
        brandScore: score,
        objections: [
          {
            code: 'brand.unverified',
            text: 'The registry couldn’t match the business to its tax number.',
            fix: 'Check the legal name, tax number and address, then submit again.',
          },
        ],
      });
    await dashboardRequestOk(
      client,
      'PUT',
      registryPath(`brands/${encodeURIComponent(brandId)}`),
      brandXml(record.papers),
    );
    await dashboardRequestOk(
      client,
      'PUT',
      registryPath(`brands/${encodeURIComponent(brandId)}/revet`),
    );
    await storeStepId(store, key, record, 'brandSent', attempt);
    return stands('in_review');
  }
  if (!['VERIFIED', 'VETTED_VERIFIED', 'SELF_DECLARED'].includes(identity))
    return stands('in_review', { brandScore: score });
  const campaignId = await runStep(store, key, record, 'campaign', async () =>
    idFrom(
      await dashboardRequestOk(
        client,
        'POST',
        registryPath('campaigns'),
        campaignXml(record.papers, brandId),
      ),
      'Campaign',
      'CampaignId',
    ),
  );
  if (!record.ids['campaignSent']) await storeStepId(store, key, record, 'campaignSent', attempt);
  const campaign = findElement(
    (
      await dashboardRequestOk(
        client,
        'GET',
        registryPath(`campaigns/${encodeURIComponent(campaignId)}`),
      )
    ).xml,
    'Campaign',
  );
  const [status, sharing] = [
    textOf(campaign, 'Status').toUpperCase(),
    textOf(campaign, 'SecondaryDcaSharingStatus').toUpperCase(),
  ];
  if (sharing === 'DECLINED' || status === 'REJECTED') {
    if (record.ids['campaignSent'] === attempt)
      return stands('rejected', {
        brandScore: score,
        objections: [
          {
            code: 'campaign.declined',
            text:
              textOf(campaign, 'SecondaryDcaExplanation') || 'The carriers rejected the campaign.',
            fix: defaultFix,
          },
        ],
      });
    await dashboardRequestOk(
      client,
      'PUT',
      registryPath(`campaigns/${encodeURIComponent(campaignId)}`),
      campaignXml(record.papers, brandId),
    );
    await dashboardRequestOk(
      client,
      'PUT',
      registryPath(`campaigns/${encodeURIComponent(campaignId)}/revet`),
    );
    await storeStepId(store, key, record, 'campaignSent', attempt);
    return stands('in_review', { brandScore: score });
  }
  if (status === 'EXPIRED' || status === 'DEACTIVATED')
    return stands('expired', { brandScore: score });
  if (status === 'SUSPENDED') return stands('suspended', { brandScore: score });
  if (status !== 'ACTIVE' || (sharing && sharing !== 'ACCEPTED'))
    return stands('in_review', { brandScore: score });
  await syncNumbers(client, key, record);
  return {
    state: 'approved',
    brandScore: score,
    objections: [],
    numbers: record.papers.numbers.map((number) => ({ number, state: 'approved', reason: null })),
  };
}

function idFrom(
  { xml, status }: { xml: Xml; status: number },
  element: string,
  name: string,
): string {
  const id = textOf(findElement(xml, element), name);
  if (!id) throw new Error(`Bandwidth’s Dashboard answered ${status} without ${name}.`);
  return id;
}

/** Numbers belong to a campaign by an order that changes their texting options; what was ordered last is written down. */
async function syncNumbers(
  client: BandwidthClient,
  key: string,
  record: RegistrationRecord,
): Promise<void> {
  const campaign = stepId(record, 'campaign');
  if (!campaign) return;
  const orderedBefore = new Set((record.ids['numbers'] ?? '').split(' ').filter(Boolean));
  const has = new Set(record.papers.numbers);
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
    [...has].filter((n) => !orderedBefore.has(n)),
    [...orderedBefore].filter((n) => !has.has(n)),
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
    await storeStepId(client.store, key, record, 'numbers', [...has].join(' '));
}

async function endCampaign(
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
  // Registered again, it is a campaign of its own.
  for (const made of ['campaign', 'campaignSent', 'numbers'])
    await storeStepId(client.store, key, record, made, null);
}
