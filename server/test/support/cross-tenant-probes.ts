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

/** What one person of the first company sends, about that company's own objects. */
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

/** What was written since a mark, but for what being asked alone writes. */
export const writtenCompanies = async (f: TestFixtures, mark: number): Promise<WrittenRows[]> =>
  (await f.snapshot.writtenSince(mark)).filter((w) => !readsThatWrite.has(w.table));

/** One id of the other company in a request that is otherwise about one's own. */
export interface CrossTenantProbe {
  description: string;
  location: 'params' | 'query' | 'body';
  foreignId: number | string;
  setForeignId: (request: EndpointRequest, id: number | string) => EndpointRequest;
}

/** A foreign id for every slot of an endpoint, and for the company itself where the request names it. */
export function crossTenantProbes(f: TestFixtures, e: DescribedEndpoint): CrossTenantProbe[] {
  const { a, b } = f;
  const tries: CrossTenantProbe[] = idSlotsOf(e)
    .map((slot) => {
      const name = `${slot.where}.${slot.path.join('.')}`;
      const theirs = b.ids[slot.kind];
      if (theirs === undefined) throw new Error(`the fixtures have no ${slot.kind}`);
      // The body that makes the slot count, where the example's leaves it without effect.
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
    tries.push({
      description: 'the company',
      location: 'params',
      foreignId: b.id,
      setForeignId: (_asked, id) => ({ ...whole, [where]: { ...whole[where], [key]: id } }),
    });
  }
  return tries;
}

/** The same refusal, whichever request it answers and whichever id it repeats. */
const isRejected = (answer: TestResponse<unknown>, id: number | string) =>
  JSON.stringify({ ...(answer.body as object), request_id: '' }).replaceAll(String(id), 'id');
const responseSummary = (answer: TestResponse<unknown>) =>
  `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;

/**
 * Ask with each foreign id, and with one that is nowhere: both must be answered alike, in a path with 404, in query and body
 * with 404 or 422, and nothing may be written. What an id that finds nothing may do all the same stands in `takesAnyId`;
 * then still nothing of the other company may be written. Null where an endpoint takes no id.
 */
export async function crossTenantFaults(
  f: TestFixtures,
  e: DescribedEndpoint,
): Promise<string[] | null> {
  const { app, a, b, snapshot } = f;
  const { owner } = a.people;
  const tries = crossTenantProbes(f, e);
  if (!tries.length) return null;
  const faults: string[] = [];
  let asked = await requestOf(f, e, owner);
  for (const {
    description: what,
    location: where,
    foreignId: theirs,
    setForeignId: put,
  } of tries) {
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
        // It was done: the next try finds everything as it was.
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
      (one.status >= 300 && isRejected(one, theirs) !== isRejected(two, nonexistentIdLike(theirs)))
    )
      faults.push(`${what}: theirs ${responseSummary(one)}, missing ${responseSummary(two)}`);
  }
  await snapshot.restore();
  return faults;
}
