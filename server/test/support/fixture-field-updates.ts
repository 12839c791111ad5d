import { fieldUpdates as contract } from '#contract';
import { mustBe } from '../../src/platform/must-be.ts';
import { multipartForm } from './samples.ts';
import type { InputContext } from './endpoint-inputs.ts';
import type { TestApp, TestPerson } from './test-app.ts';

type Post = Pick<TestApp, 'as'>;
interface Ids {
  company: number | string;
  organization: number | string;
  contact: number | string;
  user: number | string;
}
const form = (entityType: string, text: string) =>
  multipartForm(
    { entityType },
    { field: 'file', name: 'fields.csv', type: 'text/csv', bytes: text },
  );
/** A file that sets a field of a person, and one that sets the organization's of a contact. */
const formOfCompany = ({ user }: Ids) => form('user', `entity_id,desk\n${user},Front\n`);
const formOfOrganization = ({ contact }: Ids) =>
  form('contact', `entity_id,language\n${contact},Spanish\n`);

async function post(app: Post, who: TestPerson, url: string, sent: ReturnType<typeof form>) {
  const { status, body } = await app.as(who).inject({ method: 'POST', url, ...sent });
  if (status !== 202) throw new Error(`${url}: ${JSON.stringify(body)}`);
  return (body as { data: { id: number | string } }).data.id;
}
const urlOf = (path: string, id: number | string) => `/api/bulkAttributeUpdate/${path}/${id}`;

/** Files of custom fields that jobs are about to apply: of the company, and of its organization. */
export const createFieldUpdates = async (
  app: Post,
  owner: TestPerson,
  administrator: TestPerson,
  ids: Ids,
) => ({
  fieldUpdate: await post(app, owner, urlOf('companies', ids.company), formOfCompany(ids)),
  organizationFieldUpdate: await post(
    app,
    administrator,
    urlOf('businessUnits', ids.organization),
    formOfOrganization(ids),
  ),
});

const idsOf = ({ company, fixtureIds }: InputContext): Ids => ({
  company: company.id,
  organization: mustBe(fixtureIds.organization, 'the organization'),
  contact: mustBe(fixtureIds.contact, 'the contact'),
  user: mustBe(fixtureIds.user, 'the user'),
});

/** Makes runs as if they had just ended, so that they can be undone (again). */
const justEnded = ({ app }: InputContext, which: { id: number } | { organization: string }) =>
  app.services.db.systemTransaction((tx) => {
    const ended = tx
      .updateTable('field_update')
      .set({ state: 'finished', undo_batch_id: null, finished_at: app.clock.value, changed: 1 });
    return (
      'id' in which
        ? ended.where('id', '=', which.id)
        : ended.where('organization_update_id', '=', which.organization)
    ).execute();
  });

/** What these endpoints need beyond their examples. */
export const fieldUpdateInputs = {
  [contract.uploadFieldUpdate.name]: (s: InputContext) => ({ form: formOfCompany(idsOf(s)) }),
  [contract.uploadOrganizationFieldUpdate.name]: (s: InputContext) => ({
    form: formOfOrganization(idsOf(s)),
  }),
  [contract.undoFieldUpdate.name]: async (s: InputContext) => {
    await justEnded(s, { id: Number(s.fixtureIds.fieldUpdate) });
    return {};
  },
  [contract.undoOrganizationFieldUpdate.name]: async (s: InputContext) => {
    await justEnded(s, { organization: String(s.fixtureIds.organizationFieldUpdate) });
    return {};
  },
};
