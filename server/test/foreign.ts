import type { AnyEndpoint } from '#contract';
import {
  askedBy,
  foreignIsRight,
  slotBodies,
  takesAnyId,
  writesByAsking,
  type Scene,
} from './endpoint-inputs.ts';
import type { FixtureWorld } from './fixtures.ts';
import { exampleOf, missingLike, slotsOf, wire, withId, type Asked } from './requests.ts';
import type { Written } from './snapshot.ts';
import type { TestAnswer, TestPerson, World } from './world.ts';

/** What one person of the first company sends, about that company's own objects. */
export const inputOf = (f: FixtureWorld, e: AnyEndpoint, person: TestPerson): Promise<Asked> =>
  askedBy(e, sceneOf(f, e, person));
const sceneOf = (
  { line, world, a, b }: FixtureWorld,
  e: AnyEndpoint,
  person: TestPerson,
): Scene => ({
  line,
  world,
  company: a,
  other: b,
  ids: a.ids,
  person,
  example: exampleOf(e, a.ids),
});

export const ask = (
  world: World,
  e: AnyEndpoint,
  person: TestPerson | null,
  asked: Asked,
): Promise<TestAnswer<unknown>> => world.as(person).raw(wire(e, asked));

/** What was written since a mark, but for what being asked alone writes. */
export const written = async (f: FixtureWorld, mark: number): Promise<Written[]> =>
  (await f.snapshot.writtenSince(mark)).filter((w) => !writesByAsking.has(w.table));

/** One id of the other company in a request that is otherwise about one's own. */
export interface ForeignTry {
  what: string;
  where: 'params' | 'query' | 'body';
  theirs: number | string;
  put: (asked: Asked, id: number | string) => Asked;
}

/** A foreign id for every slot of an endpoint, and for the company itself where the request names it. */
export function foreignTries(f: FixtureWorld, e: AnyEndpoint): ForeignTry[] {
  const { a, b } = f;
  const tries: ForeignTry[] = slotsOf(e)
    .map((slot) => {
      const name = `${slot.where}.${slot.path.join('.')}`;
      const theirs = b.ids[slot.kind];
      if (theirs === undefined) throw new Error(`the fixtures have no ${slot.kind}`);
      // The body that makes the slot count, where the example's leaves it without effect.
      const based = (asked: Asked): Asked => {
        const body = slotBodies[`${e.name}.${name}`]?.(sceneOf(f, e, a.people.owner));
        return body === undefined ? asked : { params: asked.params, query: asked.query, body };
      };
      return {
        what: name,
        where: slot.where,
        theirs,
        put: (asked: Asked, id: number | string) => withId(based(asked), slot, id),
      };
    })
    .filter(({ what }) => !foreignIsRight.has(`${e.name}.${what}`));
  if (e.company === 'path' || e.company === 'given') {
    const key = e.company === 'path' && !e.path.includes('{companyId}') ? 'id' : 'companyId';
    const where = e.company === 'path' ? 'params' : 'query';
    const whole = exampleOf(e, b.ids);
    tries.push({
      what: 'the company',
      where: 'params',
      theirs: b.id,
      put: (_asked, id) => ({ ...whole, [where]: { ...whole[where], [key]: id } }),
    });
  }
  return tries;
}

/** The same refusal, whichever request it answers and whichever id it repeats. */
const refusal = (answer: TestAnswer<unknown>, id: number | string) =>
  JSON.stringify({ ...(answer.body as object), request_id: '' }).replaceAll(String(id), 'id');
const told = (answer: TestAnswer<unknown>) =>
  `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;

/**
 * Ask with each foreign id, and with one that is nowhere: both must be answered alike, in a path with 404, in query and body
 * with 404 or 422, and nothing may be written. What an id that finds nothing may do all the same stands in `takesAnyId`;
 * then still nothing of the other company may be written. Null where an endpoint takes no id.
 */
export async function foreignFaults(f: FixtureWorld, e: AnyEndpoint): Promise<string[] | null> {
  const { world, a, b, snapshot } = f;
  const { owner } = a.people;
  const tries = foreignTries(f, e);
  if (!tries.length) return null;
  const faults: string[] = [];
  let asked = await inputOf(f, e, owner);
  for (const { what, where, theirs, put } of tries) {
    const answers: TestAnswer<unknown>[] = [];
    for (const id of [theirs, missingLike(theirs)]) {
      const mark = await snapshot.mark();
      const answer = await ask(world, e, owner, put(asked, id));
      answers.push(answer);
      const touched = (await written(f, mark)).filter(
        (w) => answer.status >= 300 || w.companyId === b.id,
      );
      if (touched.length)
        faults.push(
          `${what}: ${answer.status} and wrote ${touched.map((w) => w.table).join(', ')}`,
        );
      if (answer.status < 300 && e.method !== 'GET') {
        // It was done: the next try finds everything as it was.
        await snapshot.restore();
        asked = await inputOf(f, e, owner);
      }
    }
    const [one, two] = answers as [TestAnswer<unknown>, TestAnswer<unknown>];
    const refused = where === 'params' ? one.status === 404 : [404, 422].includes(one.status);
    const filters = where === 'query' && e.method === 'GET' && one.status < 300;
    if (!refused && !filters && !(`${e.name}.${what}` in takesAnyId))
      faults.push(`${what}: ${told(one)}`);
    if (
      one.status !== two.status ||
      (one.status >= 300 && refusal(one, theirs) !== refusal(two, missingLike(theirs)))
    )
      faults.push(`${what}: theirs ${told(one)}, missing ${told(two)}`);
  }
  await snapshot.restore();
  return faults;
}
