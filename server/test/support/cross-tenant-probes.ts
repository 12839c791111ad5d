import type { AnyEndpoint, DescribedEndpoint } from '#contract';
import { requestFor, type InputContext } from './endpoint-inputs.ts';
import { acceptsAnyId, foreignIdAllowed, readsThatWrite, slotBodies } from './endpoint-slots.ts';
import type { TestFixtures } from './fixtures.ts';
import {
  exampleRequest,
  nonexistentIdLike,
  idSlotsOf,
  toHttpRequest,
  withId,
  type EndpointRequest,
} from './endpoint-requests.ts';
import type { WrittenRows } from './snapshot.ts';
import type { TestResponse, TestPerson, TestApp } from './test-app.ts';

/** Sends a user's request about objects of the first company. */
export const requestOf = (
  f: TestFixtures,
  e: DescribedEndpoint,
  person: TestPerson,
): Promise<EndpointRequest> => requestFor(e, inputContextOf(f, e, person));
const inputContextOf = (
  { callHarness: line, app, a, b }: TestFixtures,
  e: DescribedEndpoint,
  person: TestPerson,
): InputContext => ({
  callHarness: line,
  app,
  company: a,
  other: b,
  fixtureIds: a.ids,
  person,
  example: exampleRequest(e, a.ids),
});

export const sendRequest = (
  app: TestApp,
  e: AnyEndpoint,
  person: TestPerson | null,
  asked: EndpointRequest,
): Promise<TestResponse<unknown>> => app.as(person).inject(toHttpRequest(e, asked));

/** What was written since a mark, except by what every request writes. */
export const writtenCompanies = async (f: TestFixtures, mark: number): Promise<WrittenRows[]> =>
  (await f.snapshot.writtenSince(mark)).filter((w) => !readsThatWrite.has(w.table));

/** A request about one's own company with one id of the other company in it. */
interface CrossTenantProbe {
  description: string;
  location: 'params' | 'query' | 'body';
  foreignId: number | string;
  setForeignId: (request: EndpointRequest, id: number | string) => EndpointRequest;
}

/**
 * The other company's id for every slot of an endpoint, and for the company itself where the
 * request names it.
 */
export function crossTenantProbes(f: TestFixtures, e: DescribedEndpoint): CrossTenantProbe[] {
  const { a, b } = f;
  const probes: CrossTenantProbe[] = idSlotsOf(e)
    .map((slot) => {
      const name = `${slot.where}.${slot.path.join('.')}`;
      const theirs = b.ids[slot.kind];
      if (theirs === undefined) throw new Error(`the fixtures have no ${slot.kind}`);
      // Where the slot has no effect in the example's body, a body in which it has.
      const based = (asked: EndpointRequest): EndpointRequest => {
        const body = slotBodies[`${e.name}.${name}`]?.(inputContextOf(f, e, a.people.owner));
        return body === undefined ? asked : { params: asked.params, query: asked.query, body };
      };
      return {
        description: name,
        location: slot.where,
        foreignId: theirs,
        setForeignId: (asked: EndpointRequest, id: number | string) =>
          withId(based(asked), slot, id),
      };
    })
    .filter(({ description }) => !foreignIdAllowed.has(`${e.name}.${description}`));
  if (e.company === 'path' || e.company === 'given') {
    const key = e.company === 'path' && !e.path.includes('{companyId}') ? 'id' : 'companyId';
    const where = e.company === 'path' ? 'params' : 'query';
    const whole = exampleRequest(e, b.ids);
    probes.push({
      description: 'the company',
      location: 'params',
      foreignId: b.id,
      setForeignId: (_asked, id) => ({ ...whole, [where]: { ...whole[where], [key]: id } }),
    });
  }
  return probes;
}

/** The error with its request id and the repeated id removed, for comparison. */
const comparableResponse = (answer: TestResponse<unknown>, id: number | string) =>
  JSON.stringify({ ...(answer.body as object), request_id: '' }).replaceAll(String(id), 'id');
const responseSummary = (answer: TestResponse<unknown>) =>
  `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;

/**
 * Sends each foreign id and a nonexistent one. Both must be answered alike (404 in a path, 404 or
 * 422 in query and body) and nothing may be written. Endpoints in `acceptsAnyId` may succeed, but
 * still write nothing of the other company. Returns the faults; null when the endpoint takes no id.
 */
export async function crossTenantFaults(
  f: TestFixtures,
  e: DescribedEndpoint,
): Promise<string[] | null> {
  const { app, a, b, snapshot } = f;
  const owner = e.company === 'organization' ? a.orgAdmin : a.people.owner;
  const probes = crossTenantProbes(f, e);
  if (!probes.length) return null;
  const faults: string[] = [];
  let asked = await requestOf(f, e, owner);
  for (const {
    description: what,
    location: where,
    foreignId: theirs,
    setForeignId: put,
  } of probes) {
    const answers: TestResponse<unknown>[] = [];
    for (const id of [theirs, nonexistentIdLike(theirs)]) {
      const mark = await snapshot.mark();
      const answer = await sendRequest(app, e, owner, put(asked, id));
      answers.push(answer);
      const touched = (await writtenCompanies(f, mark)).filter(
        (w) => answer.status >= 300 || w.companyId === b.id,
      );
      if (touched.length)
        faults.push(
          `${what}: ${answer.status} and wrote ${touched.map((w) => w.table).join(', ')}`,
        );
      if (answer.status < 300 && e.method !== 'GET') {
        // The request succeeded: restore, so that the next probe finds the same data.
        await snapshot.restore();
        asked = await requestOf(f, e, owner);
      }
    }
    const [one, two] = answers as [TestResponse<unknown>, TestResponse<unknown>];
    const refused = where === 'params' ? one.status === 404 : [404, 422].includes(one.status);
    const filters = where === 'query' && e.method === 'GET' && one.status < 300;
    if (!refused && !filters && !(`${e.name}.${what}` in acceptsAnyId))
      faults.push(`${what}: ${responseSummary(one)}`);
    if (
      one.status !== two.status ||
      (one.status >= 300 &&
        comparableResponse(one, theirs) !== comparableResponse(two, nonexistentIdLike(theirs)))
    )
      faults.push(`${what}: theirs ${responseSummary(one)}, missing ${responseSummary(two)}`);
  }
  await snapshot.restore();
  return faults;
}
