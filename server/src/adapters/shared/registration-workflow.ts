import type {
  RejectionReason,
  RegistrationCarrier,
  RegistrationDocuments,
  RegistrationReport,
} from '../../gateways/registration.ts';
import type { CarrierObject, CarrierObjectStore } from './carrier-object-store.ts';

/** What is stored of one registration. */
export interface RegistrationRecord {
  /** How often the documents were submitted. */
  attempt: number;
  documents: RegistrationDocuments;
  ended?: boolean;
  refused?: { attempt: number; objections: RejectionReason[] } | null;
  /** The carrier's ids by the step that created them; `asked` while the response is outstanding. */
  ids: Record<string, string>;
}
export type RegistrationProgress = Pick<
  RegistrationReport,
  'state' | 'brandScore' | 'objections' | 'numbers'
>;
type RecordStore = Pick<CarrierObjectStore, 'put' | 'get' | 'change'>;
interface RegistrationSteps {
  /**
   * Takes the steps that are possible by now and returns the status. Throws when the carrier is
   * unreachable.
   */
  advance(key: string, record: RegistrationRecord): Promise<RegistrationProgress>;
  /** Applies a change of the registration's numbers. */
  syncNumbers(key: string, record: RegistrationRecord): Promise<unknown>;
  end(key: string, record: RegistrationRecord): Promise<void>;
  /** The registry's fee in cents. */
  brandCents(lowVolume: boolean): number;
  /** What the carrier rejected; null when the error is something else. */
  objectionsIn(error: unknown): RejectionReason[] | null;
}

/**
 * Registration for texting at a real carrier takes days and many steps that depend on one another:
 * `submit` takes the first ones, `getStatus` whichever are possible by now. The result of every
 * step is stored, so that none is repeated.
 */
export function registrationWorkflow(
  name: string,
  store: RecordStore,
  steps: RegistrationSteps,
): RegistrationCarrier {
  const workflow = new RegistrationWorkflow(store, steps);
  return {
    name,
    brandFeeCents: (lowVolume) => steps.brandCents(lowVolume),
    submit: (documents, key, attempt) => workflow.submit(documents, key, attempt),
    getStatus: (ref) => workflow.getStatus(ref),
    setNumbers: (ref, numbers) => workflow.setNumbers(ref, numbers),
    end: (ref) => workflow.end(ref),
  };
}

class RegistrationWorkflow {
  constructor(
    private readonly store: RecordStore,
    private readonly steps: RegistrationSteps,
  ) {}

  async submit(documents: RegistrationDocuments, key: string, attempt: number) {
    const first = { attempt, documents, ids: {} };
    const { thing: object } = await this.store.put('registration', key, { ref: key, facts: first });
    if (attempt > asRecord(object).attempt)
      await this.change(key, { attempt, documents, refused: null, ended: false });
    const record = await this.read(key);
    if (record) await this.advance(key, record);
    return { ref: key };
  }

  async getStatus(ref: string): Promise<RegistrationReport | null> {
    const record = await this.read(ref);
    if (!record) return null;
    if (record.ended)
      return { ref, state: 'expired', brandScore: null, objections: [], numbers: [] };
    return { ref, ...(await this.advance(ref, record)) };
  }

  async setNumbers(ref: string, numbers: readonly string[]): Promise<void> {
    const record = await this.read(ref);
    if (!record || record.ended) return;
    await this.change(ref, { documents: { ...record.documents, numbers: [...numbers] } });
    const changed = await this.read(ref);
    if (changed) await this.steps.syncNumbers(ref, changed);
  }

  async end(ref: string): Promise<void> {
    const record = await this.read(ref);
    if (!record || record.ended) return;
    await this.steps.end(ref, record);
    // The documents hold personal data that is no longer needed.
    const documents = { kind: record.documents.kind, numbers: [] };
    await this.change(ref, { ended: true, documents });
  }

  /**
   * A rejection is stored until the documents are submitted again. Throws when the carrier is
   * unreachable.
   */
  private async advance(key: string, record: RegistrationRecord): Promise<RegistrationProgress> {
    const { attempt, refused, documents } = record;
    if (refused?.attempt === attempt) return actionRequired(documents, refused.objections);
    try {
      return await this.steps.advance(key, record);
    } catch (error) {
      const objections = this.steps.objectionsIn(error);
      if (!objections) throw error;
      await this.change(key, { refused: { attempt, objections } });
      return actionRequired(documents, objections);
    }
  }

  private async read(key: string): Promise<RegistrationRecord | null> {
    const object = await this.store.get('registration', key);
    return object ? asRecord(object) : null;
  }

  private async change(key: string, facts: Record<string, unknown>): Promise<void> {
    await this.store.change('registration', key, { facts });
  }
}

/** Only this workflow writes objects of this kind. */
const asRecord = (object: CarrierObject): RegistrationRecord =>
  object.facts as unknown as RegistrationRecord;

/** The carrier rejected the documents: the company has to change them. */
const actionRequired = (
  { numbers }: RegistrationDocuments,
  objections: RejectionReason[],
): RegistrationProgress => ({
  state: 'action_required',
  brandScore: null,
  objections,
  numbers: numbers.map((number) => ({ number, state: 'asked', reason: null })),
});

/**
 * Runs a step once and stores the id it creates. When an earlier response was lost, `find` looks
 * the carrier's object up first.
 */
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
/** Null removes the id, so that the step runs again. */
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
/** The id a step created; undefined when it has not been created. */
export const stepId = (record: RegistrationRecord, name: string): string | undefined =>
  record.ids[name] === 'asked' ? undefined : record.ids[name];
