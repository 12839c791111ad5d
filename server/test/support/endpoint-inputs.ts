import {
  accessTokens,
  calls,
  campaigns,
  companies,
  settings,
  sourceReports,
  conversations,
  exporting,
  favorites,
  identity,
  importing,
  live,
  marketplace,
  porting,
  presets,
  team,
  tracking,
  support,
  users,
  type AnyEndpoint,
} from '#contract';
import { createSetupLink } from '../../src/modules/identity/index.ts';
import { companyKey, sessionToken } from '../../src/modules/tracking/index.ts';
import { billingInputs } from './fixture-billing.ts';
import { auditStreamInputs } from './audit-stream-inputs.ts';
import { phraseInputs } from './phrase-inputs.ts';
import { erasingInputs } from './erasing-inputs.ts';
import { teamInputs } from './fixture-teams.ts';
import { anonymousCaddyInputs, caddyInputs } from './caddy-inputs.ts';
import { anonymousSignInInputs, externalSignInInputs } from './external-sign-in-inputs.ts';
import { firstOf } from '../../src/platform/must-be.ts';
import { anonymousSsoInputs, ssoInputs } from './sso-inputs.ts';
import { destinationInputs, destinationRuleErrors } from './destination-inputs.ts';
import { fieldUpdateInputs } from './fixture-field-updates.ts';
import { mfaInputs, mfaRuleErrors } from './mfa-inputs.ts';
import { requestOk, type FixtureCompany, type CallHarness } from './fixtures.ts';
import { sampleCsv, samplePdf, multipartForm } from './samples.ts';
import type { EndpointRequest, FixtureIds } from './endpoint-requests.ts';
import type { TestPerson, TestApp } from './test-app.ts';

/** Who sends the request, in which company, about which objects; `other` is another company. */
export interface InputContext {
  callHarness: CallHarness;
  app: TestApp;
  company: FixtureCompany;
  other: FixtureCompany;
  person: TestPerson;
  fixtureIds: FixtureIds;
  example: EndpointRequest;
}
type PreparedInput = Partial<Omit<EndpointRequest, 'body'>> & { body?: object };

const createVia = <T = { id: number }>(
  s: InputContext,
  e: AnyEndpoint,
  input: unknown,
  as: TestPerson = s.person,
) => requestOk<T>(s.app, as, e, input);
const inCompany = (s: InputContext, more: object = {}) => ({
  params: { companyId: s.company.id, ...more },
});
export const tomorrow = (s: InputContext) =>
  new Date(s.app.clock.value.getTime() + 86_400_000).toISOString();

/** A request to support of who asks: everyone reads only their own. */
const ownTicket = async (s: InputContext) => ({
  params: {
    companyId: s.company.id,
    ticketId: (
      await createVia(s, support.createSupportTicket, {
        params: { companyId: s.company.id },
        body: { message: 'Calls ring only once.' },
      })
    ).id,
  },
});

// ---- calls, a new one for each request ----

async function createRingingCall(s: InputContext) {
  const { number } = await s.app.services.db.unscoped
    .selectFrom('number')
    .select('number')
    .where('company_id', '=', s.company.id)
    .where('id', '=', Number(s.fixtureIds.number))
    .executeTakeFirstOrThrow();
  const call = s.callHarness.aCall(number, '+12125550177');
  await call.tell(call.inbound);
  return { call, id: await call.id(), leg: s.callHarness.ringing(call, s.person) };
}
async function createConnectedCall(s: InputContext) {
  const { call, id, leg } = await createRingingCall(s);
  await call.says(leg, { type: 'legAnswered', by: { device: 'app-1' } });
  return id;
}
/** A user of the company who is not in a call. */
const otherUserOf = (s: InputContext) =>
  s.person.role === 'administrator' ? s.company.people.owner : s.company.people.administrator;
async function createConsultCall(s: InputContext) {
  const id = await createConnectedCall(s);
  const colleague = otherUserOf(s);
  await createVia(s, live.transferCall, {
    params: { id },
    body: { user_id: colleague.id, ask: true },
  });
  const leg = s.callHarness.told.findLast(
    (c) => c.do === 'createLeg' && c.to.kind === 'app' && c.to.userId === colleague.id,
  ) as { leg: string };
  const [row] = await s.app.services.db.unscoped
    .selectFrom('carrier_call_index')
    .select('carrier_call')
    .where('call_id', '=', id)
    .execute();
  await s.callHarness.tellOf(row!.carrier_call, leg.leg, {
    type: 'legAnswered',
    by: { device: 'app-1' },
  });
  return id;
}
const onCall =
  (begin: (s: InputContext) => Promise<number>, key = 'id') =>
  async (s: InputContext): Promise<PreparedInput> => ({ params: { [key]: await begin(s) } });

const scheduledCampaign = async (s: InputContext) =>
  (
    await createVia(s, campaigns.createCampaign, {
      body: {
        company_id: s.company.id,
        title: 'Later',
        text: 'Hi',
        groups: [s.fixtureIds.group],
        number_id: s.fixtureIds.number,
        state: 'queued',
        should_be_sent_at: tomorrow(s),
      },
    })
  ).id;
const signLetter = async (s: InputContext) => {
  const letter = await createVia<{ hash: string }>(
    s,
    porting.portLetter,
    inCompany(s, { id: s.fixtureIds.port }),
  );
  return { name: 'Olive Owner', hash: letter.hash, agree: true };
};

/**
 * What an endpoint needs besides its example with real ids. Params, query and body are merged over
 * the example's.
 */
export const inputOverrides: Record<
  string,
  (s: InputContext) => Promise<PreparedInput> | PreparedInput
> = {
  ...caddyInputs,
  deletePersonalAccessToken: async (s) => ({
    params: {
      id: (
        await createVia(s, accessTokens.createPersonalAccessToken, {
          body: { company_id: s.company.id, name: 'To revoke', scopes: ['read'] },
        })
      ).id,
    },
  }),
  endTokenSession: async (s) => ({
    params: {
      id: (await createVia(s, identity.createTokenSession, { body: { device_name: 'Old' } })).id,
    },
  }),
  authorizeChannel: (s) => ({
    body: { channel_name: `private-conversations.${s.company.id}`, socket_id: 'abc' },
  }),
  getSupportTicket: ownTicket,
  replyToSupport: ownTicket,
  closeSupportTicket: ownTicket,
  deleteCompany: async (s) => ({
    params: {
      id: (
        await createVia(s, companies.createCompany, {
          body: { company_info: { name: 'Soon gone', timezone: 'America/New_York' } },
        })
      ).id,
    },
  }),
  updateCompanyUser: () => ({ body: { eavAttributeValues: [{ key: 'desk', value: 'Front' }] } }),

  // Not the person whose caches other tests watch: their sessions end.
  deleteCompanyUser: (s) => ({ params: { userId: s.company.people.billing.id } }),
  endUserSessions: (s) => ({ params: { userId: s.company.people.billing.id } }),
  deactivateUser: (s) => ({ body: { userId: s.company.people.billing.id } }),
  updateProfile: (s) => ({ params: { userId: s.person.id } }),
  updatePassword: (s) => ({ params: { userId: s.person.id } }),
  previewOwnErasure: (s) => ({ params: { userId: s.person.id } }),
  eraseOwnAccount: (s) => ({ params: { userId: s.person.id } }),
  startOwnershipTransfer: (s) => ({ body: { user_id: s.company.people.administrator.id } }),
  cancelOwnershipTransfer: async (s) => {
    await createVia(
      s,
      users.startOwnershipTransfer,
      {
        ...inCompany(s),
        body: { user_id: s.company.people.administrator.id, password: 'trunkline-demo' },
      },
      s.company.people.owner,
    );
    return {};
  },
  confirmOwnershipTransfer: async (s) => {
    await createVia(
      s,
      users.startOwnershipTransfer,
      {
        ...inCompany(s),
        body: { user_id: s.company.people.administrator.id, password: 'trunkline-demo' },
      },
      s.company.people['org-administrator'],
    );
    return {};
  },
  ...externalSignInInputs,
  ...ssoInputs,
  ...mfaInputs,
  ...fieldUpdateInputs,
  ...billingInputs,
  ...auditStreamInputs,
  ...phraseInputs,
  ...teamInputs,
  ...erasingInputs,
  ...destinationInputs,
  // A row that a billing contact may see, and of the person who asks.
  getAuditEntry: async (s) => ({
    params: {
      entryId: (
        await s.app.services.db.systemTransaction((tx) =>
          tx
            .insertInto('audit_log')
            .values({
              company_id: s.company.id,
              actor_id: s.person.id,
              actor_kind: 'user',
              action: 'number.purchased',
              subject: 'number:1',
            })
            .returning('id')
            .executeTakeFirstOrThrow(),
        )
      ).id,
    },
  }),

  updateAlerts: (s) => ({ body: { ids: [s.fixtureIds.alert], state: 'acknowledged' } }),
  // All of the company's own sources, once each.
  orderSources: async (s) => ({
    body: {
      sourceIds: (
        await createVia<{ id: number; isSystem: boolean }[]>(s, tracking.listSources, inCompany(s))
      ).flatMap(({ id, isSystem }) => (isSystem ? [] : id)),
    },
  }),
  createTags: () => ({ body: { tags: [{ name: 'Returning', color: 'teal' }] } }),
  updateField: (s) => ({
    params: { type: 'contact' },
    body: { choices: [{ id: s.fixtureIds.choice, value: 'Fresh' }, { value: 'Lost' }] },
  }),
  overrideField: (s) => ({
    params: { id: s.fixtureIds.organizationField },
    body: { defaultValue: null },
  }),
  deleteFieldOverride: (s) => ({ params: { id: s.fixtureIds.organizationField } }),
  ...Object.fromEntries(
    ['getColumnPreset', 'updateColumnPreset', 'deleteColumnPreset'].map((name) => [
      name,
      async (s: InputContext) => ({
        params: {
          id: (
            await createVia(s, presets.createColumnPreset, {
              body: {
                company_id: s.company.id,
                name: 'Mine',
                entity: 'numbers',
                columns: [{ key: 'number', order: 0 }],
              },
            })
          ).id,
        },
      }),
    ]),
  ),

  ...Object.fromEntries(
    ['updateFavoriteReport', 'deleteFavoriteReport'].map((name) => [
      name,
      async (s: InputContext) => ({
        params: {
          id: (
            await createVia(s, favorites.createFavoriteReport, {
              body: {
                company_id: s.company.id,
                name: 'Mine',
                value: { path: '/analytics/calls' },
              },
            })
          ).id,
        },
      }),
    ]),
  ),

  createReportLink: async (s) => ({
    body: {
      company_id: s.company.id,
      favorite_id: (
        await createVia(s, favorites.createFavoriteReport, {
          body: { company_id: s.company.id, name: 'Mine', value: { path: '/analytics/calls' } },
        })
      ).id,
      last_day: tomorrow(s).slice(0, 10),
    },
  }),
  // Also for people who can't make links.
  withdrawReportLink: async (s) => {
    const { pool } = s.app.services.db;
    const { rows } = await pool.query<{ id: number }>(
      `with f as (insert into favorite_report (company_id, user_id, name, value)
          values ($1, $2, 'Linked', '{"path":"/analytics/calls"}') returning id)
        insert into report_link (company_id, favorite_id, user_id, token_hash, created_at, expires_at)
          select $1, f.id, $2, gen_random_uuid()::text, now(), now() from f returning id`,
      [s.company.id, s.person.id],
    );
    return { params: { id: Number(firstOf(rows).id) } };
  },
  createGroup: () => ({ body: { name: 'Newcomers' } }),
  createContactLabel: () => ({ body: { label: 'Loud' } }),
  uploadContactImport: () => ({
    form: multipartForm(
      {},
      { field: 'file', name: 'people.csv', type: 'text/csv', bytes: sampleCsv },
    ),
  }),
  // Their own, which everyone can delete.
  deleteSourceReport: async (s) => ({
    params: {
      reportId: (
        await createVia(s, sourceReports.saveSourceReport, {
          body: {
            company_id: s.company.id,
            name: 'Mine',
            startDate: '2026-11-01',
            endDate: '2026-11-21',
          },
        })
      ).id,
    },
  }),
  undoContactImport: (s) => ({ params: { importId: s.fixtureIds.finishedImport } }),
  contactsProgress: async (s) => ({
    params: {
      batchId: (
        await createVia<{ batchId: string }>(s, importing.exportContacts, {
          ...inCompany(s),
          body: { all: true },
        })
      ).batchId,
    },
  }),

  cancelSmsCampaign: (s) => ({ params: { id: s.fixtureIds.approvedRegistration } }),
  removeSmsCampaignNumbers: (s) => ({ params: { id: s.fixtureIds.approvedRegistration } }),
  addSmsCampaignNumbers: (s) => ({ body: { numbers: [s.fixtureIds.otherNumber] } }),
  requestNumberLimitIncrease: () => ({ body: { requested: 500 } }),

  submitPort: async (s) => {
    await createVia(s, porting.signPortLetter, {
      ...inCompany(s, { id: s.fixtureIds.port }),
      body: await signLetter(s),
    });
    return {};
  },
  signPortLetter: async (s) => ({ body: await signLetter(s) }),
  addPortDocument: (s) => ({
    form: multipartForm(
      {
        kind: 'bill',
        bill_date: new Date(s.app.clock.value.getTime() - 86_400_000).toISOString().slice(0, 10),
      },
      { field: 'file', name: 'bill.pdf', type: 'application/pdf', bytes: samplePdf },
    ),
  }),

  updateMarketplaceNumber: () => ({
    body: { status: undefined, pricing: undefined, notes: 'Ask first' },
  }),
  makeOffer: (s) => ({ params: { id: s.other.ids.listing }, body: { amount_cents: 9500 } }),
  reserveListing: (s) => ({ params: { id: s.other.ids.listing } }),
  leaseListing: async (s) => {
    await createVia(s, marketplace.reserveListing, {
      params: { id: s.other.ids.listing },
      body: {},
    });
    return { params: { id: s.other.ids.listing } };
  },
  endLease: async (s) => {
    const buyer = s.other.people.owner;
    await createVia(
      s,
      marketplace.reserveListing,
      { params: { id: s.fixtureIds.listing }, body: {} },
      buyer,
    );
    await createVia(
      s,
      marketplace.leaseListing,
      { params: { id: s.fixtureIds.listing }, body: { term_months: 12 } },
      buyer,
    );
    return {};
  },
  renewLease: async (s) => {
    const params = { id: s.other.ids.listing };
    // A lease this short can be renewed at once.
    await createVia(
      s,
      marketplace.updateMarketplaceNumber,
      { params, body: { pricing: { minimum_term_months: 1 } } },
      s.other.people.owner,
    );
    await createVia(s, marketplace.reserveListing, { params, body: {} });
    await createVia(s, marketplace.leaseListing, { params, body: { term_months: 1 } });
    return { params };
  },

  updateNumber: () => ({ body: { label: 'Reception', routes: undefined } }),
  restoreFlowVersion: () => ({ params: { version: 1 } }),

  rejectCall: async (s) => {
    const { id } = await createRingingCall(s);
    return {
      params: { callId: id },
      body: {
        joinToken: (
          await createVia<{ joinToken: string }>(s, calls.canAnswerCall, { params: { callId: id } })
        ).joinToken,
      },
    };
  },
  canAnswerCall: async (s) => ({ params: { callId: (await createRingingCall(s)).id } }),
  ...Object.fromEntries(
    ['holdCall', 'pressKeys', 'hangUpCall'].map((name) => [
      name,
      onCall(createConnectedCall, 'callId'),
    ]),
  ),
  ...Object.fromEntries(
    ['getLiveCall', 'callDestinations', 'parkCall', 'addToCall'].map((name) => [
      name,
      onCall(createConnectedCall),
    ]),
  ),
  transferCall: async (s) => ({
    params: { id: await createConnectedCall(s) },
    body: { user_id: otherUserOf(s).id, ask: true },
  }),
  ...Object.fromEntries(
    ['completeTransfer', 'cancelTransfer', 'swapTransfer', 'mergeTransfer'].map((name) => [
      name,
      onCall(createConsultCall),
    ]),
  ),
  unparkCall: onCall(async (s) => {
    const id = await createConnectedCall(s);
    await createVia(s, live.parkCall, { params: { id }, body: {} });
    return id;
  }),
  removeFromCall: async (s) => {
    const id = await createConsultCall(s);
    const { people } = await createVia<{ people: { leg: string; user_id: number | null }[] }>(
      s,
      live.mergeTransfer,
      { params: { id }, body: {} },
    );
    return {
      params: { id },
      body: { leg: people.find((p) => p.user_id === otherUserOf(s).id)!.leg },
    };
  },
  monitorCall: (s) => ({ params: { id: s.fixtureIds.runningCall }, body: { device: 'app-1' } }),
  stopMonitoring: async (s) => {
    await createVia(s, live.monitorCall, {
      params: { id: s.fixtureIds.runningCall },
      body: { mode: 'listen', device: 'app-1' },
    });
    return { params: { id: s.fixtureIds.runningCall } };
  },

  scheduleMessage: (s) => ({ body: { shouldBeSentAt: tomorrow(s) } }),
  snoozeConversations: (s) => ({ body: { until: tomorrow(s) } }),
  // Port dates must be in the future; the example's would pass only until its date.
  savePort: (s) => ({
    body: { requested_date: porting.earliestPortDay(tomorrow(s).slice(0, 10), 1) },
  }),
  changeScheduled: (s) => ({ params: { itemId: s.fixtureIds.scheduled } }),
  ...Object.fromEntries(
    ['updateNote', 'deleteNote'].map((name) => [
      name,
      async (s: InputContext) => ({
        params: {
          id: (
            await createVia(s, conversations.addNote, {
              body: {
                company_id: s.company.id,
                model_type: 'conversation',
                model_id: s.fixtureIds.conversation,
                body: 'Mine.',
              },
            })
          ).id,
        },
      }),
    ]),
  ),
  listNotes: (s) => ({
    query: { model_type: 'conversation', model_id: s.fixtureIds.conversation },
  }),
  sendFax: (s) => ({
    form: multipartForm(
      {
        company_id: String(s.company.id),
        numberId: String(s.fixtureIds.faxNumber),
        to: '+12125550147',
      },
      { field: 'files[]', name: 'form.pdf', type: 'application/pdf', bytes: samplePdf },
    ),
  }),
  ...Object.fromEntries(
    ['updateCannedReply', 'removeCannedReply'].map((name) => [
      name,
      async (s: InputContext) => ({
        params: {
          id: (
            await createVia(s, team.addCannedReply, {
              body: { company_id: s.company.id, shortcut: 'mine', title: 'Mine', body: 'Hello.' },
            })
          ).id,
        },
      }),
    ]),
  ),
  ...Object.fromEntries(
    ['updateInboxView', 'removeInboxView'].map((name) => [
      name,
      async (s: InputContext) => ({
        params: {
          id: (
            await createVia(s, team.addInboxView, {
              body: { company_id: s.company.id, name: 'Mine', filters: { state: 'open' } },
            })
          ).id,
        },
      }),
    ]),
  ),
  exportProgress: async (s) => ({
    params: {
      batchId: (
        await createVia<{ batchId: string }>(s, exporting.exportCalls, {
          body: { companyId: s.company.id, tz: 'UTC' },
        })
      ).batchId,
    },
  }),

  pauseCampaign: async (s) => ({ params: { id: await scheduledCampaign(s) } }),
  cancelCampaign: async (s) => ({ params: { id: await scheduledCampaign(s) } }),
  resumeCampaign: async (s) => {
    const id = await scheduledCampaign(s);
    await createVia(s, campaigns.pauseCampaign, { params: { id } });
    return { params: { id } };
  },
  approveCampaign: async (s) => {
    await createVia(s, settings.updateGeneralSettings, {
      query: { company_id: s.company.id },
      body: { campaign_approval_required: true },
    });
    return { params: { id: await scheduledCampaign({ ...s, person: s.company.people.user }) } };
  },
};

/**
 * Endpoints that correctly answer a business error instead of 2xx: the error code, why, and the
 * module's test that shows them succeed.
 */
export const expectedRuleErrors: Record<
  string,
  { code: string; because: string; shownBy: string }
> = {
  acceptOwnershipTransfer: {
    code: 'transfer.gone',
    because: 'only the person it was started for can accept',
    shownBy: 'companies/users/users',
  },
  enterAdminMode: {
    code: 'admin.staff_only',
    because: 'only platform staff may',
    shownBy: 'companies/admin-mode/admin-mode',
  },
  remoteLogin: {
    code: 'remote_login.expired',
    because: 'needs the token that staff make',
    shownBy: 'companies/admin-mode/admin-mode',
  },
  ...mfaRuleErrors,
  ...destinationRuleErrors,
  eraseOwnAccount: {
    code: 'account.other_email',
    because: 'would end the account of who asks',
    shownBy: 'archive/own-account/own-account',
  },
  deleteOrganization: {
    code: 'organization.not_empty',
    because: 'the organization has its company',
    shownBy: 'companies/organizations/organizations',
  },
  attachOrganizationCompany: {
    code: 'organization.owner_decides',
    because: 'its administrator owns no company',
    shownBy: 'companies/organizations/organizations',
  },
  removeOrganizationAdmin: {
    code: 'organization.not_an_admin',
    because: 'the person is a user',
    shownBy: 'companies/organizations/organizations',
  },
  createTokenSession: {
    code: 'unauthenticated',
    because: 'needs the token of a login or a refresh token',
    shownBy: 'identity/sign-in',
  },
  getConsentContext: {
    code: 'oauth.request_expired',
    because: 'needs the cookie of a program’s request',
    shownBy: 'identity/oauth-provider/oauth-provider',
  },
  decideConsent: {
    code: 'oauth.request_expired',
    because: 'needs the cookie of a program’s request',
    shownBy: 'identity/oauth-provider/oauth-provider',
  },
  signInBySso: {
    code: 'sign_in.expired',
    because: 'needs a browser that has returned from the provider',
    shownBy: 'companies/sso/sso-sign-in',
  },
  resetPassword: {
    code: 'reset.expired',
    because: 'needs the link that was mailed',
    shownBy: 'identity/sign-in',
  },
  signup: {
    code: 'invalid',
    because: 'needs the code that was mailed',
    shownBy: 'identity/sign-in',
  },
  tlsAllowed: {
    code: 'not_found',
    because: 'needs a domain whose DNS points here',
    shownBy: 'settings/tenant/tenant',
  },
  stopReportMails: {
    code: 'report_mails.stopped',
    because: 'needs the link of a mail',
    shownBy: 'analytics/report-mails/stop-mails',
  },
  openReportLink: {
    code: 'report_link.closed',
    because: 'needs the link that is shown once',
    shownBy: 'analytics/report-links/report-links',
  },
  openInvitationLink: {
    code: 'invitation.expired',
    because: 'needs the link that was mailed',
    shownBy: 'companies/invitations/invitations',
  },
  acceptInvitation: {
    code: 'invitation.expired',
    because: 'needs the link that was mailed',
    shownBy: 'companies/invitations/invitations',
  },
  unsubscribeMail: {
    code: 'unsubscribe.invalid',
    because: 'needs the link of a mail',
    shownBy: 'notifications/settings',
  },
};
/** The website of the fixtures' tracking pool. */
const website = 'https://www.example.com';
/** A visit of that website, as its script sends it. */
const ofAVisit = async ({ world: app, a }: { world: TestApp; a: FixtureCompany }) => {
  const { id } = await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('tracking_visit')
      .values({
        company_id: a.id,
        pool_id: Number(a.ids.trackingPool),
        started_at: app.clock.value,
        last_seen_at: app.clock.value,
        url: website,
        source_id: 1,
        source_key: 'direct',
        source_label: 'Direct',
        rule_id: 'nothing.direct',
        evidence: '',
        device: 'desktop',
        outcome: 'none',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return {
    body: { sessionId: sessionToken(app.services.settings.appSecrets, a.id, id) },
    headers: { origin: website },
  };
};
/** What unauthenticated callers send. */
export const anonymousInputs: Record<
  string,
  (s: {
    world: TestApp;
    a: FixtureCompany;
  }) => Promise<Partial<EndpointRequest>> | Partial<EndpointRequest>
> = {
  ...anonymousSignInInputs,
  ...anonymousSsoInputs,
  ...anonymousCaddyInputs,
  setUpInstallation: async ({ world: app, a }) => {
    await app.services.db.pool.query('update person set disabled_at = now() where is_staff');
    const link = (await createSetupLink(app.services)) ?? '';
    const code = link.split('#code=')[1];
    const email = `operator.${a.id}@people.test`;
    return { body: { code, email, password: 'a long enough sentence', first_name: 'Ola' } };
  },
  getBrandingPicture: async ({ world: app, a }) => {
    await app.services.db.pool.query(
      `insert into branding_picture (token, company_id, kind, bytes, created_at)
        values ('brand_of_fixtures', $1, 'logo', 'png', now()) on conflict do nothing`,
      [a.id],
    );
    return { params: { token: 'brand_of_fixtures' } };
  },
  // A page of the pool's website, then the heartbeat of its visit.
  openVisit: ({ world: app, a }) => ({
    body: { companyKey: companyKey(app.services.settings.appSecrets, a.id), url: `${website}/` },
    headers: { origin: website },
  }),
  continueVisit: ofAVisit,
  addPageView: async (scene) => {
    const { body, headers } = await ofAVisit(scene);
    return { body: { ...body, url: `${website}/contact` }, headers };
  },
  addVisitEvent: async (scene) => {
    const { body, headers } = await ofAVisit(scene);
    return { body: { ...body, url: `${website}/contact`, name: 'form_sent' }, headers };
  },
  login: ({ a }) => ({ body: { email: a.people.owner.email, password: 'trunkline-demo' } }),
  lookupCompany: async ({ world: app, a }) => ({
    query: {
      slug: (
        await app.services.db.unscoped
          .selectFrom('company')
          .select('slug')
          .where('id', '=', a.id)
          .executeTakeFirstOrThrow()
      ).slug,
    },
  }),
  getFile: ({ world: app, a }) => {
    const { searchParams } = new URL(
      app.services.files.signUrl(a.id, Number(a.ids.file), app.clock.value),
      'http://here',
    );
    return { query: Object.fromEntries(searchParams) };
  },
};
/** A user's request: the example about the company's own objects, with `inputs` merged over it. */
export async function requestFor(e: AnyEndpoint, scene: InputContext): Promise<EndpointRequest> {
  const more = (await inputOverrides[e.name]?.(scene)) ?? {};
  const { example } = scene;
  return {
    params: { ...example.params, ...more.params },
    query: { ...example.query, ...more.query },
    ...(example.body === undefined && more.body === undefined
      ? {}
      : { body: { ...(example.body as object), ...more.body } }),
    ...(more.form ? { form: more.form } : {}),
  };
}
