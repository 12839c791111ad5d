import { fields, fieldUpdates as contract, type BodyIn } from '#contract';
import type { UpdatableType } from '#contract/archive/field-updates/rules';
import { multipartForm } from './samples.ts';
import type { TestApp, TestPerson } from './test-app.ts';

/** What tests of files of custom fields need: fields, uploads and their runs. */
export function fieldFiles(app: TestApp) {
  const form = (text: string, entityType?: string) =>
    multipartForm(entityType ? { entityType } : {}, {
      field: 'file',
      name: 'fields.csv',
      type: 'text/csv',
      bytes: text,
    });
  const post = (who: TestPerson, path: string, text: string, entityType?: string) =>
    app.as(who).inject({
      method: 'POST',
      url: `/api/bulkAttributeUpdate/${path}`,
      ...form(text, entityType),
    });
  return {
    createField: async (
      who: TestPerson,
      type: UpdatableType,
      body: Partial<BodyIn<typeof fields.createField>> & { name: string },
    ) => {
      const answer = await app.as(who).request(fields.createField, {
        params: { type },
        body: { companyId: who.companyId, type: 'stringKeyword', ...body },
      });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body.data;
    },
    upload: (who: TestPerson, text: string, entityType?: string) =>
      post(who, `companies/${who.companyId}`, text, entityType),
    uploadFor: (who: TestPerson, organizationId: number, text: string, entityType?: string) =>
      post(who, `businessUnits/${organizationId}`, text, entityType),
    list: async (who: TestPerson, template?: UpdatableType) =>
      (
        await app.as(who).request(contract.listFieldUpdates, {
          params: { companyId: who.companyId },
          query: { template },
        })
      ).body,
    listFor: async (who: TestPerson, id: number, template?: UpdatableType) =>
      (
        await app.as(who).request(contract.listOrganizationFieldUpdates, {
          params: { id },
          query: { template },
        })
      ).body,
    undo: (who: TestPerson, updateId: number) =>
      app.as(who).request(contract.undoFieldUpdate, {
        params: { companyId: who.companyId, updateId },
      }),
  };
}
