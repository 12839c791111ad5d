import type {
  RejectionReason,
  RegistrationCarrier,
  RegistrationDocuments,
  RegistrationReport,
} from '../gateways/registration.ts';
import type { CarrierLegStore } from './carrier-leg-store.ts';

/** What is kept of one registration: the papers, how often they were handed in, and the carrier's ids by the name of the step that made them. */
export interface RegistrationRecord {
  attempt: number;
  papers: RegistrationDocuments;
  ended?: boolean;
  refused?: { attempt: number; objections: RejectionReason[] } | null;
  ids: Record<string, string>;
}
export type RegistrationProgress = Pick<
  RegistrationReport,
  'state' | 'brandScore' | 'objections' | 'numbers'
>;
type RecordStore = Pick<CarrierLegStore<{ kind: string }>, 'put' | 'get' | 'change'>;
export interface RegistrationSteps {
  /** Take the steps that are possible by now and say where it stands. */
  advance(key: string, record: RegistrationRecord): Promise<RegistrationProgress>;
  /** Its numbers changed. */
  syncNumbers(key: string, record: RegistrationRecord): Promise<unknown>;
  end(key: string, record: RegistrationRecord): Promise<void>;
  brandCents(lowVolume: boolean): number;
  /** What the carrier said no to; null when it was away or nobody knows. */
  objectionsIn(error: unknown): RejectionReason[] | null;
}

/**
 * Registered texting at a real carrier takes days and has many steps, each waiting for the last: `submit` takes the first
 * ones, `ask` whichever are possible by now. Every step's answer is written down, so that asking again repeats nothing.
 */
export function registrationWorkflow(
  name: string,
  store: RecordStore,
  steps: RegistrationSteps,
): RegistrationCarrier {
  const readRecord = async (key: string) => {
    const thing = await store.get('registration', key);
    return thing ? (thing.facts as unknown as RegistrationRecord) : null;
  };
  /** What the carrier says no to is an answer, kept until the papers are handed in anew; its being away is thrown. */
  const advance = async (
    key: string,
    record: RegistrationRecord,
  ): Promise<RegistrationProgress> => {
    const requestedNumbers = record.papers.numbers.map((number) => ({
      number,
      state: 'asked' as const,
      reason: null,
    }));
    if (record.refused?.attempt === record.attempt)
      return {
        state: 'action_required',
        brandScore: null,
        objections: record.refused.objections,
        numbers: requestedNumbers,
      };
    try {
      return await steps.advance(key, record);
    } catch (error) {
      const objections = steps.objectionsIn(error);
      if (!objections) throw error;
      await store.change('registration', key, {
        facts: { refused: { attempt: record.attempt, objections } },
      });
      return { state: 'action_required', brandScore: null, objections, numbers: requestedNumbers };
    }
  };
  return {
    name,
    brandFeeCents: (lowVolume) => steps.brandCents(lowVolume),
    async submit(papers, key, attempt) {
      const fresh: RegistrationRecord = { attempt, papers, ids: {} };
      await store.put('registration', key, {
        ref: key,
        facts: fresh as unknown as Record<string, unknown>,
      });
      const before = (await readRecord(key))!;
      if (attempt > before.attempt)
        await store.change('registration', key, {
          facts: { attempt, papers, refused: null, ended: false },
        });
      await advance(key, (await readRecord(key))!);
      return { ref: key };
    },
    async getStatus(ref) {
      const record = await readRecord(ref);
      if (!record) return null;
      if (record.ended)
        return { ref, state: 'expired', brandScore: null, objections: [], numbers: [] };
      return { ref, ...(await advance(ref, record)) };
    },
    async setNumbers(ref, numbers) {
      const record = await readRecord(ref);
      if (!record || record.ended) return;
      await store.change('registration', ref, {
        facts: { papers: { ...record.papers, numbers: [...numbers] } },
      });
      await steps.syncNumbers(ref, (await readRecord(ref))!);
    },
    async end(ref) {
      const record = await readRecord(ref);
      if (!record || record.ended) return;
      await steps.end(ref, record);
      // The papers hold personal data nobody needs from here on.
      await store.change('registration', ref, {
        facts: { ended: true, papers: { kind: record.papers.kind, numbers: [] } },
      });
    },
  };
}

/** One step: made once, its id kept under its name. A step whose answer was lost is looked for first, where the carrier can be asked. */
export async function runStep(
  store: RecordStore,
  key: string,
  record: RegistrationRecord,
  name: string,
  create: () => Promise<string>,
  find?: () => Promise<string | undefined>,
): Promise<string> {
  const known = record.ids[name];
  if (known && known !== 'asked') return known;
  const foundId = known === 'asked' && find ? await find() : undefined;
  if (foundId === undefined) await storeStepId(store, key, record, name, 'asked');
  const id = foundId ?? (await create());
  await storeStepId(store, key, record, name, id);
  return id;
}
export async function storeStepId(
  store: RecordStore,
  key: string,
  record: RegistrationRecord,
  name: string,
  id: string | null,
): Promise<void> {
  if (id === null) delete record.ids[name];
  else record.ids[name] = id;
  await store.change('registration', key, { facts: { ids: record.ids } });
}
/** The id a step made, when it was made. */
export const stepId = (record: RegistrationRecord, name: string): string | undefined =>
  record.ids[name] === 'asked' ? undefined : record.ids[name];
