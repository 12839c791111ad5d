import {
  registryBrandFeeCents,
  type RegistrationCarrier,
  type RejectionReason,
} from '../../gateways/registration.ts';
import {
  storeStepId,
  registrationWorkflow,
  runStep,
  type RegistrationRecord,
  type RegistrationProgress,
} from '../shared/registration-workflow.ts';
import {
  dashboardRequest,
  asList,
  dashboardRequestOk,
  DashboardError,
  textOf,
  findElement,
} from './dashboard.ts';
import type { BandwidthClient } from './client.ts';
import {
  advanceCampaign,
  defaultFix,
  endCampaign,
  idFrom,
  progressOf,
  registryPath,
  syncNumbers,
} from './registration-campaign.ts';
import { brandXml } from './registration-fields.ts';
import { advanceTollFree, endTollFree } from './registration-toll-free.ts';

/**
 * Registration at Bandwidth: brands and campaigns through the Dashboard (XML), toll-free numbers
 * through the verification API. Unverified: the Dashboard's field names follow its public pages,
 * and nothing was tried with a live account.
 */
export const bandwidthRegistration = (client: BandwidthClient): RegistrationCarrier =>
  registrationWorkflow('bandwidth', client.store, {
    advance: (key, record) =>
      record.documents.kind === 'toll_free'
        ? advanceTollFree(client, key, record)
        : advanceBrand(client, key, record),
    syncNumbers: (key, record) =>
      record.documents.kind === 'toll_free'
        ? advanceTollFree(client, key, record)
        : syncNumbers(client, key, record),
    end: (key, record) =>
      record.documents.kind === 'toll_free'
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
  const brandId = await runStep(
    store,
    key,
    record,
    'brand',
    async () => {
      const brand = brandXml(record.documents);
      const response = await dashboardRequestOk(client, 'POST', registryPath('brands'), brand);
      return idFrom(response, 'Brand', 'BrandId');
    },
    () => findLostBrand(client, record),
  );
  if (!record.ids['brandSent']) await storeStepId(store, key, record, 'brandSent', attempt);
  const brandPath = registryPath(`brands/${encodeURIComponent(brandId)}`);
  const brand = findElement((await dashboardRequestOk(client, 'GET', brandPath)).xml, 'Brand');
  const brandScore = Number(textOf(brand, 'VettingScore')) || null;
  const identity = textOf(brand, 'IdentityStatus');
  if (identity === 'UNVERIFIED') {
    if (record.ids['brandSent'] === attempt)
      return progressOf(record, 'rejected', { brandScore, objections: [brandObjection] });
    await dashboardRequestOk(client, 'PUT', brandPath, brandXml(record.documents));
    await dashboardRequestOk(client, 'PUT', `${brandPath}/revet`);
    await storeStepId(store, key, record, 'brandSent', attempt);
    return progressOf(record, 'in_review');
  }
  if (!['VERIFIED', 'VETTED_VERIFIED', 'SELF_DECLARED'].includes(identity))
    return progressOf(record, 'in_review', { brandScore });
  return advanceCampaign(client, key, record, brandId, brandScore);
}

const brandObjection: RejectionReason = {
  code: 'brand.unverified',
  text: 'The registry couldn’t match the business to its tax number.',
  fix: 'Check the legal name, tax number and address, then submit again.',
};

/**
 * The business's brand that belongs to no registration of ours: the one whose response was lost.
 */
async function findLostBrand(
  client: BandwidthClient,
  { documents }: RegistrationRecord,
): Promise<string | undefined> {
  const { ein, legalName } = documents.brand;
  const { xml } = await dashboardRequest(client, 'GET', registryPath('brands/details?type=none'));
  const candidates = asList(findElement(xml, 'Brands')?.['Brand'])
    .filter(
      (brand) =>
        textOf(brand, 'Ein') === ein && textOf(brand, 'CompanyName') === legalName.slice(0, 100),
    )
    .map((brand) => textOf(brand, 'BrandId'))
    .filter(Boolean);
  for (const id of candidates)
    if (!(await client.store.keysMentioning('registration', id)).length) return id;
  return undefined;
}
