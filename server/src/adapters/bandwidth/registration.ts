import { brandOnlyCents, type RegistrationCarrier } from '../../ports/registration.ts';
import {
  idOf,
  keepId,
  registrationBySteps,
  step,
  type Kept,
  type Outcome,
} from '../registration-steps.ts';
import { ask, list, must, Refused, textOf, within, type Xml } from './dashboard.ts';
import type { Desk } from './desk.ts';
import { brandXml, campaignXml } from './registration-words.ts';
import { bringTollFree, endTollFree } from './registration-toll-free.ts';

const at = (what: string) => `/campaignManagement/10dlc/${what}`;
const fix = 'Change what was objected to, then submit again.';

/**
 * Registered texting at Bandwidth: brands and campaigns through the Dashboard's XML, toll-free numbers through the verification
 * API. No document of the Dashboard is published in a package; field names follow its public pages, and nothing was tried against
 * a live account: unverified.
 */
export const bandwidthRegistration = (desk: Desk): RegistrationCarrier =>
  registrationBySteps('bandwidth', desk.book, {
    bring: (key, now) =>
      now.papers.kind === 'toll_free' ? bringTollFree(desk, key, now) : bringBrand(desk, key, now),
    numbers: (key, now) =>
      now.papers.kind === 'toll_free' ? bringTollFree(desk, key, now) : setNumbers(desk, key, now),
    end: (key, now) =>
      now.papers.kind === 'toll_free' ? endTollFree(desk, key, now) : endCampaign(desk, key, now),
    brandCents: () => brandOnlyCents,
    refusal: (error) =>
      error instanceof Refused && error.status !== 401 && error.status !== 403
        ? [{ code: error.code, text: error.message, fix }]
        : null,
  });

async function bringBrand(desk: Desk, key: string, now: Kept): Promise<Outcome> {
  const { book } = desk;
  const attempt = String(now.attempt);
  const stands = (state: Outcome['state'], more: Partial<Outcome> = {}): Outcome => ({
    state,
    brandScore: null,
    objections: [],
    numbers: now.papers.numbers.map((number) => ({ number, state: 'asked', reason: null })),
    ...more,
  });
  /** The business's brand without a registration of ours: the one whose answer was lost. */
  const lost = async () => {
    const same = list(
      within((await ask(desk, 'GET', at('brands/details?type=none'))).said, 'Brands')?.['Brand'],
    ).filter(
      (b) =>
        textOf(b, 'Ein') === now.papers.brand.ein &&
        textOf(b, 'CompanyName') === now.papers.brand.legalName.slice(0, 100),
    );
    for (const id of same.map((b) => textOf(b, 'BrandId')).filter(Boolean))
      if (!(await book.keysMentioning('registration', id)).length) return id;
    return undefined;
  };
  const brandId = await step(
    book,
    key,
    now,
    'brand',
    async () =>
      idIn(await must(desk, 'POST', at('brands'), brandXml(now.papers)), 'Brand', 'BrandId'),
    lost,
  );
  if (!now.ids['brandSent']) await keepId(book, key, now, 'brandSent', attempt);
  const brand = within(
    (await must(desk, 'GET', at(`brands/${encodeURIComponent(brandId)}`))).said,
    'Brand',
  );
  const score = Number(textOf(brand, 'VettingScore')) || null;
  const identity = textOf(brand, 'IdentityStatus');
  if (identity === 'UNVERIFIED') {
    if (now.ids['brandSent'] === attempt)
      return stands('rejected', {
        brandScore: score,
        objections: [
          {
            code: 'brand.unverified',
            text: 'The registry could not match the business to its tax number.',
            fix: 'Check legal name, tax number and address, then submit again.',
          },
        ],
      });
    await must(desk, 'PUT', at(`brands/${encodeURIComponent(brandId)}`), brandXml(now.papers));
    await must(desk, 'PUT', at(`brands/${encodeURIComponent(brandId)}/revet`));
    await keepId(book, key, now, 'brandSent', attempt);
    return stands('in_review');
  }
  if (!['VERIFIED', 'VETTED_VERIFIED', 'SELF_DECLARED'].includes(identity))
    return stands('in_review', { brandScore: score });
  const campaignId = await step(book, key, now, 'campaign', async () =>
    idIn(
      await must(desk, 'POST', at('campaigns'), campaignXml(now.papers, brandId)),
      'Campaign',
      'CampaignId',
    ),
  );
  if (!now.ids['campaignSent']) await keepId(book, key, now, 'campaignSent', attempt);
  const campaign = within(
    (await must(desk, 'GET', at(`campaigns/${encodeURIComponent(campaignId)}`))).said,
    'Campaign',
  );
  const [status, sharing] = [
    textOf(campaign, 'Status').toUpperCase(),
    textOf(campaign, 'SecondaryDcaSharingStatus').toUpperCase(),
  ];
  if (sharing === 'DECLINED' || status === 'REJECTED') {
    if (now.ids['campaignSent'] === attempt)
      return stands('rejected', {
        brandScore: score,
        objections: [
          {
            code: 'campaign.declined',
            text:
              textOf(campaign, 'SecondaryDcaExplanation') ||
              'The carriers did not accept the campaign.',
            fix,
          },
        ],
      });
    await must(
      desk,
      'PUT',
      at(`campaigns/${encodeURIComponent(campaignId)}`),
      campaignXml(now.papers, brandId),
    );
    await must(desk, 'PUT', at(`campaigns/${encodeURIComponent(campaignId)}/revet`));
    await keepId(book, key, now, 'campaignSent', attempt);
    return stands('in_review', { brandScore: score });
  }
  if (status === 'EXPIRED' || status === 'DEACTIVATED')
    return stands('expired', { brandScore: score });
  if (status === 'SUSPENDED') return stands('suspended', { brandScore: score });
  if (status !== 'ACTIVE' || (sharing && sharing !== 'ACCEPTED'))
    return stands('in_review', { brandScore: score });
  await setNumbers(desk, key, now);
  return {
    state: 'approved',
    brandScore: score,
    objections: [],
    numbers: now.papers.numbers.map((number) => ({ number, state: 'approved', reason: null })),
  };
}

function idIn(
  { said, status }: { said: Xml; status: number },
  element: string,
  name: string,
): string {
  const id = textOf(within(said, element), name);
  if (!id) throw new Error(`Bandwidth’s Dashboard answered ${status} without ${name}.`);
  return id;
}

/** Numbers belong to a campaign by an order that changes their texting options; what was ordered last is written down. */
async function setNumbers(desk: Desk, key: string, now: Kept): Promise<void> {
  const campaign = idOf(now, 'campaign');
  if (!campaign) return;
  const had = new Set((now.ids['numbers'] ?? '').split(' ').filter(Boolean));
  const has = new Set(now.papers.numbers);
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
  const [come, go] = [[...has].filter((n) => !had.has(n)), [...had].filter((n) => !has.has(n))];
  if (come.length)
    await must(
      desk,
      'POST',
      '/tnoptions',
      order(come, { Action: 'asSpecified', CampaignId: campaign }),
    );
  if (go.length) await must(desk, 'POST', '/tnoptions', order(go, { Action: 'delete' }));
  if (come.length || go.length) await keepId(desk.book, key, now, 'numbers', [...has].join(' '));
}

async function endCampaign(desk: Desk, key: string, now: Kept): Promise<void> {
  const campaign = idOf(now, 'campaign');
  if (!campaign) return;
  const { status } = await ask(desk, 'DELETE', at(`campaigns/${encodeURIComponent(campaign)}`));
  if (status >= 400 && status !== 404)
    throw new Error(`Bandwidth’s Dashboard did not end the campaign (${status}).`);
  // Registered again, it is a campaign of its own.
  for (const made of ['campaign', 'campaignSent', 'numbers'])
    await keepId(desk.book, key, now, made, null);
}
