import { readXlsx } from 'hucre/xlsx';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  callAnalytics,
  search,
  contacts,
  endpoints,
  exporting,
  importing,
  marketplace,
  numbers,
  sourceReports,
  type AnyEndpoint,
  type DescribedEndpoint,
} from '#contract';
import { reportGroups } from '#contract/analytics/source-reports/rules';
import { exportColumns } from '#contract/fields/presets/export-columns';
import { exportTargets, moreExportColumns } from '#contract/contacts/importing/rules';
import { createFixtures, requestOk } from './support/fixtures.ts';
import { multipartForm } from './support/samples.ts';
import { sendRequest } from './support/cross-tenant-probes.ts';

/**
 * What a page hides from a person is hidden in every file they can get: someone who may not see
 * contact details finds dots instead, in every export and format.
 */
const fixtures = await createFixtures();
const { app, a } = fixtures;
const { owner, user, reporting } = a.people;
type Person = typeof owner;

let secret: { digits: string[]; words: string[] };
beforeAll(async () => {
  await requestOk(app, owner, contacts.updateContact, {
    params: { contactId: a.ids.contact },
    body: { address1: '4711 Hidden Lane', secondaryEmails: ['second-dana@example.com'] },
  });
  await app.services.db.systemTransaction(async (tx) => {
    await sql`update company set settings = settings
      || '{"mask_contact_details_for_users": true, "users_can_bulk_contacts": true}'
      where id = ${a.id}`.execute(tx);
    await sql`update call set note = 'spoken of in the search' where company_id = ${a.id}`.execute(
      tx,
    );
    await sql`insert into conversation_item (company_id, conversation_id, number_id, kind,
        is_inbound, created_at, details, source)
      select company_id, id, number_id, 'voicemail', true, ${app.clock.value},
        '{"duration":4,"transcription":"Call me."}', 'voicemail:1'
        from conversation where company_id = ${a.id} limit 1`.execute(tx);
  });
  const known = await app.services.db.systemTransaction(
    async (tx) =>
      (
        await sql<{
          n: string;
        }>`select party n from conversation
          where company_id = ${a.id} union select number from contact where company_id = ${a.id}
          union select number from contact_number where company_id = ${a.id}`.execute(tx)
      ).rows,
  );
  secret = {
    digits: known
      .map(({ n }) => n.replace(/\D/g, '').slice(1))
      .filter((digits) => digits.length >= 10),
    words: ['dana@example.com', 'second-dana', 'Hidden Lane'],
  };
  expect(secret.digits.length).toBeGreaterThan(4);
});

/** What must not be in a file, including each digit of a number beyond those the page shows. */
const findLeaks = (text: string): string[] => {
  const digits = text.replace(/(?<=\d)[\s().-]+(?=\d)/g, '');
  return [
    ...secret.digits.filter((one) => digits.includes(one) || digits.includes(one.slice(-7))),
    ...secret.words.filter((one) => text.includes(one)),
  ];
};
const fileAt = async (who: Person, url: string): Promise<string> => {
  const { statusCode, rawPayload, headers } = await app.server.inject({
    method: 'GET',
    url,
    headers: { authorization: `Bearer ${who.token}` },
  });
  expect(statusCode).toBe(200);
  return String(headers['content-type']).includes('spreadsheet')
    ? JSON.stringify((await readXlsx(rawPayload)).sheets.map((sheet) => sheet.rows))
    : rawPayload.toString('utf8');
};

/** An export by a job, as a file of each format. */
const exportByJob =
  (e: AnyEndpoint, input: (format: string) => object, formats = ['csv', 'xlsx', 'jsonl']) =>
  async (who: Person): Promise<string[]> => {
    const files: string[] = [];
    for (const format of formats) {
      const { status, body } = await app.as(who).request(e, input(format));
      expect(status, JSON.stringify(body)).toBeLessThan(300);
      const said = body as { data: { batchId?: string }; meta?: { batchId?: string } };
      await app.drainJobs();
      const { resultUrl } = await requestOk<{ resultUrl: string }>(
        app,
        who,
        exporting.exportProgress,
        {
          params: { batchId: said.data.batchId ?? said.meta?.batchId },
          query: { companyId: a.id },
        },
      );
      files.push(await fileAt(who, resultUrl));
    }
    return files;
  };
const exportItems = (e: AnyEndpoint, entity: keyof typeof exportColumns) =>
  exportByJob(e, (format) => ({
    body: { companyId: a.id, columns: Object.keys(exportColumns[entity]), format },
  }));

const ask = (who: Person, e: AnyEndpoint, input: object) => app.as(who).request(e, input);
const exports: Record<string, (who: Person) => Promise<string[]>> = {
  exportCalls: exportItems(exporting.exportCalls, 'calls'),
  exportMessages: exportItems(exporting.exportMessages, 'messages'),
  exportVoicemails: exportItems(exporting.exportVoicemails, 'voicemails'),
  exportFaxes: exportItems(exporting.exportFaxes, 'fax'),
  searchCalls: exportByJob(
    search.searchCalls,
    () => ({ query: { companyId: a.id, q: 'spoken', format: 'csv' } }),
    ['csv'],
  ),
  // Names of destinations can hold numbers.
  analyzeCalls: exportByJob(
    callAnalytics.analyzeCalls,
    (group) => ({ query: { companyId: a.id, group, direction: 'all', format: 'csv' } }),
    ['forward', 'extension', 'geo_area'],
  ),
  exportContacts: exportByJob(importing.exportContacts, (format) => ({
    params: { companyId: a.id },
    body: {
      all: true,
      columns: [...exportTargets, ...moreExportColumns].map((c) => c.key),
      format,
    },
  })),
  exportNumbers: async (who) => [
    await fileAt(
      who,
      (
        await requestOk<{ url: string }>(app, who, numbers.exportNumbers, {
          query: { companyId: a.id, columns: numbers.exportColumns },
        })
      ).url,
    ),
  ],
  marketplaceReport: async (who) => [
    String(
      (await app.as(who).request(marketplace.marketplaceReport, { query: { companyId: a.id } }))
        .body,
    ),
  ],
  // Figures by where calls came from: of no one's details.
  reportSources: async (who) =>
    Promise.all(
      reportGroups.map(async (groupBy) => {
        const body = { ...reportPeriod(), groupBy };
        const { status, body: said } = await ask(who, sourceReports.reportSources, {
          query: { companyId: a.id },
          body,
        });
        expect(status).toBe(200);
        return JSON.stringify(said);
      }),
    ),
  saveSourceReport: async (who) => {
    const files: string[] = [];
    for (const groupBy of reportGroups) {
      const saved = await requestOk<{ file_url: string }>(
        app,
        who,
        sourceReports.saveSourceReport,
        { query: { companyId: a.id }, body: { name: groupBy, ...reportPeriod(), groupBy } },
      );
      files.push(await fileAt(who, saved.file_url));
    }
    return files;
  },
  contactVcard: async (who) => [
    (
      await requestOk<{ vcard: string }>(app, who, contacts.contactVcard, {
        params: { contactId: a.ids.contact },
      })
    ).vcard,
  ],
};
const reportPeriod = () => {
  const endDate = app.clock.value.toISOString().slice(0, 10);
  const before = new Date(app.clock.value.getTime() - 30 * 86_400_000);
  return { startDate: before.toISOString().slice(0, 10), endDate };
};
/** About figures, not about people. */
const withoutPeople = [
  'analyzeCalls',
  'exportNumbers',
  'marketplaceReport',
  'reportSources',
  'saveSourceReport',
];
/** A role that sees no details at all doesn't get such a file. */
const refused = ['marketplaceReport', 'contactVcard'];

test('every export of the contract is listed here', () => {
  const makesFile = (e: DescribedEndpoint) =>
    e.limit === 'exports' ||
    e.contentType?.startsWith('text/') ||
    'format' in ((e.query as { shape?: object }).shape ?? {}) ||
    /export|vcard$|report/i.test(e.path);
  const known = [
    ...Object.keys(exports),
    ...['exportProgress', 'voiceSample'],
    // Of one’s own changes, and of everything, for those who may see everything.
    ...['exportAuditLog', 'startArchive', 'listArchives'],
    // Of what was exported: the files themselves are those above.
    ...['listExports', 'getExport', 'downloadExport', 'listSourceReports'],
    // What someone reports to support.
    'reportCaddyCustomer',
    // Shortcuts to screens.
    ...['listFavoriteReports', 'createFavoriteReport', 'updateFavoriteReport'],
    // Stops emails of one address.
    'stopReportMails',
    // Links to them; what one opens hides details from everyone (report-links.test.ts).
    ...['listReportLinks', 'createReportLink', 'openReportLink'],
  ];
  expect(
    endpoints
      .filter((e) => makesFile(e) && e.method !== 'DELETE')
      .map((e) => e.name)
      .filter((name) => !known.includes(name)),
  ).toEqual([]);
});

describe.each(Object.keys(exports))('%s', (name) => {
  test('contains nothing that the page hides from the requester', async () => {
    if (refused.includes(name)) {
      const e = endpoints.find((one) => one.name === name)!;
      expect(
        (
          await sendRequest(app, e, user, {
            params: { contactId: a.ids.contact },
            query: { companyId: a.id },
          })
        ).status,
      ).toBe(403);
      return;
    }
    for (const file of await exports[name]!(user)) expect(findLeaks(file)).toEqual([]);
  });
  test('contains it for an owner, where it is about people', async () => {
    const leaks = (await exports[name]!(owner)).map(findLeaks);
    if (!withoutPeople.includes(name))
      for (const found of leaks) expect(found.length, name).toBeGreaterThan(0);
  });
});

test('the reporting role needs callers’ numbers (A4 rule 6), and gets no email or address', async () => {
  for (const name of ['exportCalls', 'searchCalls'])
    for (const file of await exports[name]!(reporting)) {
      expect([
        secret.digits.some((one) => file.includes(one)),
        secret.words.filter((one) => file.includes(one)),
      ]).toEqual([true, []]);
    }
});

test('files of an import belong to the person who made it: a colleague who may not see details gets neither them nor their first rows', async () => {
  const imports = async (who: Person) =>
    (await app.as(who).request(importing.listContactImports, { params: { companyId: a.id } })).body
      .data;
  const params = { companyId: a.id, importId: Number(a.ids.import) };
  expect((await imports(owner)).some((one) => one.resultUrl && one.sample.length)).toBe(true);
  expect(
    (await imports(user)).flatMap((one) =>
      [one.resultUrl, one.mistakesUrl, ...one.sample].filter(Boolean),
    ),
  ).toEqual([]);
  expect([
    (await app.as(user).request(importing.getContactImport, { params })).body.data.sample,
    (await app.as(user).request(importing.checkContactImport, { params, body: {} })).status,
  ]).toEqual([[], 403]);
  const own = await app.as(user).inject({
    method: 'POST',
    url: `/api/companies/${a.id}/contacts/imports`,
    ...multipartForm(
      {},
      {
        field: 'file',
        name: 'mine.csv',
        type: 'text/csv',
        bytes: 'name,number\nAda,2125550199\n',
      },
    ),
  });
  expect(own.body).toMatchObject({ data: { sample: [{ row: 2, cells: ['Ada', '+1212•••99'] }] } });
});
