import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { contacts as contactsContract, importing as contract } from '#contract';
import type { ContactImport } from '#contract/contacts/importing/schemas';
import { systemCtx, type TxCtx } from '../../src/platform/context.ts';
import type { TestApp, TestPerson } from './test-app.ts';

/** What tests of contact imports need: uploads, runs, results and the contacts they leave. */
export function importHelpers(app: TestApp) {
  const inCompany = <T>(companyId: number, work: (t: TxCtx) => Promise<T>): Promise<T> =>
    systemCtx(app.services, companyId, app.notifier).transaction(work);
  const upload = async (
    who: TestPerson,
    text: string | Buffer,
    name = 'people.csv',
    fields: Record<string, string> = {},
  ) => {
    const boundary = 'the-line-between';
    const payload = Buffer.concat([
      ...Object.entries(fields).map(([key, value]) =>
        Buffer.from(
          `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
        ),
      ),
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`,
      ),
      Buffer.from(text as string),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]);
    return app.as(who).inject({
      method: 'POST',
      url: `/api/companies/${who.companyId}/contacts/imports`,
      payload,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }) as Promise<{
      status: number;
      body: { data: ContactImport; message: string; errors: { title: string; detail: string }[] };
    }>;
  };
  const params = (who: TestPerson, importId: number) => ({
    params: { companyId: who.companyId, importId },
  });
  const get = async (who: TestPerson, importId: number) =>
    (await app.as(who).request(contract.getContactImport, params(who, importId))).body
      .data as ContactImport;
  const check = (who: TestPerson, importId: number, body: object = {}) =>
    app.as(who).request(contract.checkContactImport, { ...params(who, importId), body });
  const start = (who: TestPerson, importId: number, body: object = {}) =>
    app.as(who).request(contract.startContactImport, { ...params(who, importId), body });
  const listAll = async (who: TestPerson) =>
    (
      await app.as(who).request(contactsContract.listContacts, {
        query: { perPage: 250, sort: 'name', dir: 'asc' },
      })
    ).body.data;
  return {
    inCompany,
    upload,
    get,
    check,
    start,
    listAll,
    /** Uploads a file, imports it and returns the finished import. */
    importFile: async (
      who: TestPerson,
      text: string | Buffer,
      body: object = {},
      name?: string,
    ): Promise<ContactImport> => {
      const uploaded = await upload(who, text, name);
      expect(uploaded.status, JSON.stringify(uploaded.body)).toBe(201);
      const started = await start(who, uploaded.body.data.id, body);
      expect(started.status, JSON.stringify(started.body)).toBe(202);
      await app.drainJobs();
      return get(who, uploaded.body.data.id);
    },
    undo: async (who: TestPerson, importId: number) => {
      const response = await app.as(who).request(contract.undoContactImport, params(who, importId));
      await app.drainJobs();
      return response;
    },
    /** The rows of a result file. */
    readCsv: async (url: string | null) =>
      parse(String((await app.as(null).inject({ method: 'GET', url: url! })).body), {
        bom: true,
      }) as string[][],
    findContact: async (who: TestPerson, number: string) =>
      (await listAll(who)).find((contact) => contact.number === number),
  };
}
