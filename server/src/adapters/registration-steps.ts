import type {
  Objection,
  RegistrationCarrier,
  RegistrationPapers,
  RegistrationReport,
} from '../ports/registration.ts';
import type { LegBook } from './leg-book.ts';

/** What is kept of one registration: the papers, how often they were handed in, and the carrier's ids by the name of the step that made them. */
export interface Kept {
  attempt: number;
  papers: RegistrationPapers;
  ended?: boolean;
  refused?: { attempt: number; objections: Objection[] } | null;
  ids: Record<string, string>;
}
export type Outcome = Pick<RegistrationReport, 'state' | 'brandScore' | 'objections' | 'numbers'>;
type Book = Pick<LegBook<{ kind: string }>, 'keep' | 'find' | 'change'>;
export interface Ways {
  /** Take the steps that are possible by now and say where it stands. */
  bring(key: string, now: Kept): Promise<Outcome>;
  /** Its numbers changed. */
  numbers(key: string, now: Kept): Promise<unknown>;
  end(key: string, now: Kept): Promise<void>;
  brandCents(lowVolume: boolean): number;
  /** What the carrier said no to; null when it was away or nobody knows. */
  refusal(error: unknown): Objection[] | null;
}

/**
 * Registered texting at a real carrier takes days and has many steps, each waiting for the last: `submit` takes the first
 * ones, `ask` whichever are possible by now. Every step's answer is written down, so that asking again repeats nothing.
 */
export function registrationBySteps(name: string, book: Book, ways: Ways): RegistrationCarrier {
  const kept = async (key: string) => {
    const thing = await book.find('registration', key);
    return thing ? (thing.facts as unknown as Kept) : null;
  };
  /** What the carrier says no to is an answer, kept until the papers are handed in anew; its being away is thrown. */
  const walk = async (key: string, now: Kept): Promise<Outcome> => {
    const asked = now.papers.numbers.map((number) => ({
      number,
      state: 'asked' as const,
      reason: null,
    }));
    if (now.refused?.attempt === now.attempt)
      return {
        state: 'action_required',
        brandScore: null,
        objections: now.refused.objections,
        numbers: asked,
      };
    try {
      return await ways.bring(key, now);
    } catch (error) {
      const objections = ways.refusal(error);
      if (!objections) throw error;
      await book.change('registration', key, {
        facts: { refused: { attempt: now.attempt, objections } },
      });
      return { state: 'action_required', brandScore: null, objections, numbers: asked };
    }
  };
  return {
    name,
    brandCents: (lowVolume) => ways.brandCents(lowVolume),
    async submit(papers, key, attempt) {
      const fresh: Kept = { attempt, papers, ids: {} };
      await book.keep('registration', key, {
        ref: key,
        facts: fresh as unknown as Record<string, unknown>,
      });
      const before = (await kept(key))!;
      if (attempt > before.attempt)
        await book.change('registration', key, {
          facts: { attempt, papers, refused: null, ended: false },
        });
      await walk(key, (await kept(key))!);
      return { ref: key };
    },
    async ask(ref) {
      const now = await kept(ref);
      if (!now) return null;
      if (now.ended)
        return { ref, state: 'expired', brandScore: null, objections: [], numbers: [] };
      return { ref, ...(await walk(ref, now)) };
    },
    async setNumbers(ref, numbers) {
      const now = await kept(ref);
      if (!now || now.ended) return;
      await book.change('registration', ref, {
        facts: { papers: { ...now.papers, numbers: [...numbers] } },
      });
      await ways.numbers(ref, (await kept(ref))!);
    },
    async end(ref) {
      const now = await kept(ref);
      if (!now || now.ended) return;
      await ways.end(ref, now);
      // The papers hold personal data nobody needs from here on.
      await book.change('registration', ref, {
        facts: { ended: true, papers: { kind: now.papers.kind, numbers: [] } },
      });
    },
  };
}

/** One step: made once, its id kept under its name. A step whose answer was lost is looked for first, where the carrier can be asked. */
export async function step(
  book: Book,
  key: string,
  now: Kept,
  name: string,
  make: () => Promise<string>,
  find?: () => Promise<string | undefined>,
): Promise<string> {
  const done = now.ids[name];
  if (done && done !== 'asked') return done;
  const lost = done === 'asked' && find ? await find() : undefined;
  if (lost === undefined) await keepId(book, key, now, name, 'asked');
  const id = lost ?? (await make());
  await keepId(book, key, now, name, id);
  return id;
}
export async function keepId(
  book: Book,
  key: string,
  now: Kept,
  name: string,
  id: string | null,
): Promise<void> {
  if (id === null) delete now.ids[name];
  else now.ids[name] = id;
  await book.change('registration', key, { facts: { ids: now.ids } });
}
/** The id a step made, when it was made. */
export const idOf = (now: Kept, name: string): string | undefined =>
  now.ids[name] === 'asked' ? undefined : now.ids[name];
