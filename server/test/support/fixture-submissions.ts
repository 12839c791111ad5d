import { campaigns, marketplace, porting, registration, type AnyEndpoint } from '#contract';
import { provisionNumber } from '../../src/modules/numbers/index.ts';
import { systemCtx } from '../../src/platform/context.ts';
import type { FixtureKind } from './fixture-kinds.ts';
import { multipartForm, portDetails, randomPhone, samplePdf } from './samples.ts';
import type { TestApp, TestPerson } from './test-app.ts';

interface Builder {
  app: TestApp;
  owner: TestPerson;
  /** Receives the ids of the created objects. */
  ids: Record<FixtureKind, number | string>;
  mainNumberId: number;
  /** Calls an endpoint as the owner; returns the response's `data`. */
  make: <T = { id: number }>(e: AnyEndpoint, input?: unknown) => Promise<T>;
  /** The company's path parameters, with further ones merged in. */
  of: (more?: object) => { params: object };
}

/**
 * Creates registrations for texting, a campaign, a port with a document, and a marketplace listing,
 * whose id is returned.
 */
export async function createSubmissions({
  app,
  owner,
  ids,
  mainNumberId,
  make,
  of,
}: Builder): Promise<number> {
  const { companyId } = owner;
  const sms = (registration.operations.createSmsCampaign.example.body ?? {}) as object;
  ids.smsCampaign = (await make(registration.createSmsCampaign, { ...of(), body: sms })).id;
  ids.approvedRegistration = (
    await make(registration.createSmsCampaign, { ...of(), body: sms })
  ).id;
  await make(registration.addSmsCampaignNumbers, {
    ...of({ id: ids.approvedRegistration }),
    body: { numbers: [mainNumberId] },
  });
  await make(registration.submitSmsCampaign, { ...of({ id: ids.approvedRegistration }), body: {} });
  ids.campaign = (
    await make(campaigns.createCampaign, {
      body: {
        company_id: companyId,
        title: 'Whitening',
        text: 'Hi',
        groups: [ids.group],
        number_id: mainNumberId,
        state: 'draft',
      },
    })
  ).id;
  const port = await make<{ id: number; earliest_date: string }>(porting.createPort, {
    ...of(),
    body: { numbers: [randomPhone()], ...portDetails },
  });
  ids.port = port.id;
  await make(porting.savePort, {
    ...of({ id: port.id }),
    body: { requested_date: port.earliest_date },
  });
  // Yesterday here is not a future date at the company, whose time zone is behind.
  const billed = new Date(app.clock.value.getTime() - 86_400_000).toISOString().slice(0, 10);
  await app.as(owner).inject({
    method: 'POST',
    url: `/api/company/${companyId}/ports/${port.id}/documents`,
    ...multipartForm(
      { kind: 'bill', bill_date: billed },
      { field: 'file', name: 'bill.pdf', type: 'application/pdf', bytes: samplePdf },
    ),
  });

  // A number listed on the marketplace.
  const vanity = await systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    provisionNumber(t, { number: randomPhone('800') }),
  );
  ids.listing = (
    await make(marketplace.listOnMarketplace, {
      body: { company_id: companyId, number_id: vanity, vanity_text: '800-555-DENT' },
    })
  ).id;
  await make(marketplace.updateMarketplaceNumber, {
    params: { id: ids.listing },
    body: { status: 'listed', pricing: { monthly_cents: 9900, minimum_term_months: 6 } },
  });
  return vanity;
}
