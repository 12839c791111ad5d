/** What a simulated GoHighLevel location has to choose from, and how it answers. */
import type { OutboundAnswer } from '../../gateways/outbound.ts';

/** An answer of a status, as JSON. */
export const answer = (status: number, body: unknown): OutboundAnswer => ({
  ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
});
/** BadRequestDTO, UnauthorizedDTO and UnprocessableDTO, of common-schemas. */
export const error = (statusCode: number, message: string | string[], more: object = {}) =>
  answer(statusCode, { statusCode, message, ...more });

export const pipelines = [
  {
    ...{ id: 'pipePatients', name: 'New patients' },
    stages: [
      { id: 'stageCalled', name: 'Called' },
      { id: 'stageBooked', name: 'Booked' },
    ],
  },
];
const tags = ['called', 'new patient'];
export const customFields = [
  { id: 'cfCampaign', name: 'Campaign', fieldKey: 'contact.campaign', dataType: 'TEXT' },
  { id: 'cfKeyword', name: 'Keyword', fieldKey: 'contact.keyword', dataType: 'TEXT' },
  { id: 'cfBorn', name: 'Born on', fieldKey: 'contact.born_on', dataType: 'DATE' },
];

/** Answers a request about the location itself. */
export function listOf(location: string, name: string, id: string, sub: string | undefined) {
  if (id !== location) return error(403, 'The token does not have access to this location.');
  if (sub === 'tags')
    return answer(200, { tags: tags.map((tag) => ({ id: tag, name: tag, locationId: id })) });
  if (sub === 'customFields') return answer(200, { customFields });
  return answer(200, { location: { id, name } });
}
