import { contacts, erasing } from '#contract';
import type { InputContext } from './endpoint-inputs.ts';
import { requestOk } from './fixtures.ts';
import { uniquePhone } from './inbox.ts';

/** What the endpoints that erase and hold people need beyond their examples. */
export const erasingInputs = {
  endLegalHold: async (s: InputContext) => {
    const params = { contactId: Number(s.fixtureIds.contact) };
    const body = { reason: 'Case 26-1182' };
    await s.app.as(s.company.people.owner).request(erasing.holdPerson, { params, body });
    return { params };
  },
  // A contact of its own: the others are needed.
  erasureProgress: async (s: InputContext) => {
    const { owner } = s.company.people;
    const body = { companyId: s.company.id, number: uniquePhone() };
    const { id } = await requestOk<{ id: number }>(s.app, owner, contacts.createContact, { body });
    const params = { contactId: id };
    const begun = await requestOk<{ batchId: string }>(s.app, owner, erasing.erasePerson, {
      params,
    });
    return { params: { batchId: begun.batchId } };
  },
};
