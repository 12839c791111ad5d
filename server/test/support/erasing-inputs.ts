import { erasing } from '#contract';
import type { InputContext } from './endpoint-inputs.ts';

/** What the endpoints that erase and hold people need beyond their examples. */
export const erasingInputs = {
  endLegalHold: async (s: InputContext) => {
    const params = { contactId: Number(s.fixtureIds.contact) };
    const body = { reason: 'Case 26-1182' };
    await s.app.as(s.company.people.owner).request(erasing.holdPerson, { params, body });
    return { params };
  },
};
