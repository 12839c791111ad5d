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
}
/** A file that sets a contact's field: its own, or one of the organization. */
const form = (key: string, contact: number | string, value: string) =>
  multipartForm(
    { entityType: 'contact' },
    {
      field: 'file',
      name: 'fields.csv',
      type: 'text/csv',
      bytes: `entity_id,${key}\n${contact},${value}\n`,
    },
  );
const formOfCompany = ({ contact }: Ids, value: string) => form('stage', contact, value);
const formOfOrganization = ({ contact }: Ids, value: string) => form('language', contact, value);

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
  fieldUpdate: await post(app, owner, urlOf('companies', ids.company), formOfCompany(ids, 'Won')),
  organizationFieldUpdate: await post(
    app,
    administrator,
    urlOf('businessUnits', ids.organization),
    formOfOrganization(ids, 'Spanish'),
  ),
});

const idsOf = ({ company, fixtureIds }: InputContext): Ids => ({
  company: company.id,
  organization: mustBe(fixtureIds.organization, 'the organization'),
  contact: mustBe(fixtureIds.contact, 'the contact'),
});

/** What these endpoints need beyond their examples. */
export const fieldUpdateInputs = {
  [contract.uploadFieldUpdate.name]: (s: InputContext) => ({
    form: formOfCompany(idsOf(s), 'Won'),
  }),
  [contract.uploadOrganizationFieldUpdate.name]: (s: InputContext) => ({
    form: formOfOrganization(idsOf(s), 'Spanish'),
  }),
  [contract.undoFieldUpdate.name]: async (s: InputContext) => {
    const ids = idsOf(s);
    const upload = (value: string) =>
      post(
        s.app,
        s.company.people.owner,
        urlOf('companies', ids.company),
        formOfCompany(ids, value),
      );
    // Two, so that the second changes something.
    await upload('New');
    const updateId = await upload('Won');
    await s.app.drainJobs();
    return { params: { updateId } };
  },
  [contract.undoOrganizationFieldUpdate.name]: async (s: InputContext) => {
    const ids = idsOf(s);
    const upload = (value: string) =>
      post(
        s.app,
        s.company.people['org-administrator'],
        urlOf('businessUnits', ids.organization),
        formOfOrganization(ids, value),
      );
    await upload('English');
    const updateId = await upload('Spanish');
    await s.app.drainJobs();
    return { params: { updateId } };
  },
};
